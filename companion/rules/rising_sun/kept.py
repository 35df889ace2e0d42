"""What is made once and kept: sentences, choices and prompts that many positions share.

Here: ``keep``, for the few makers that every command asks; ``functools.lru_cache`` serves the others as well and slower. Not here: what belongs
to one position.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar, TypeVarTuple

MOST = 16384
"""How many things of one sort are kept."""

K = TypeVar("K")
V = TypeVar("V")
Parts = TypeVarTuple("Parts")


class Kept(dict[K, V], Generic[K, V]):
    """Asked with square brackets, ``done_choice[seat, 0]``. Full, it begins anew: it never grows without end."""

    def __init__(self, make: Callable[..., V], most: int = MOST) -> None:
        super().__init__()
        self._make = make
        self._most = most
        self.__doc__ = make.__doc__

    def __missing__(self, key: K) -> V:
        if len(self) >= self._most:
            self.clear()
        made = self[key] = self._make(*key)  # type: ignore[misc]  # a key is a tuple
        return made


class Newest(Generic[K, V]):
    """Decorates a maker of one argument that is never changed once asked about: while the very same object is asked for, it is not made again.

    One is kept, and replaced whole, so that threads may share it.
    """

    def __init__(self, make: Callable[[K], V]) -> None:
        self._make = make
        self._kept: tuple[K, V] | None = None
        self.__doc__ = make.__doc__

    def __call__(self, of: K) -> V:
        kept = self._kept
        if kept is None or kept[0] is not of:
            kept = self._kept = (of, self._make(of))
        return kept[1]


def keep(make: Callable[[*Parts], V]) -> Kept[tuple[*Parts], V]:
    """Decorates a maker of two or more arguments, all hashable."""
    return Kept(make)
