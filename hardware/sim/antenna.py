"""What lies on a simulated reader's antenna, from when until when, and how well it couples.

Time comes from the clock handed in. No chip and no bytes here.
"""

from collections.abc import Callable
from dataclasses import dataclass

from hardware.sim.tags import Tag


@dataclass
class _Lying:
    tag: Tag
    since: float
    until: float | None


@dataclass
class _Weak:
    miss: int
    of: int
    senses: int = 0


class Antenna:
    """The tags in one field. Not thread-safe: its owner locks."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lying: list[_Lying] = []
        self._weak: dict[Tag, _Weak] = {}
        self.dead = False
        """A field that is switched on and reaches nothing (broken coil, metal table)."""

    def put(self, tag: Tag, *, after: float = 0.0, seconds: float | None = None) -> None:
        """Lay a tag down `after` seconds from now, for `seconds` (None: until taken)."""
        self.take(tag)
        since = self._clock() + after
        self._lying.append(_Lying(tag, since, None if seconds is None else since + seconds))

    def take(self, tag: Tag) -> bool:
        """Lift a tag; False if it was not here."""
        here = [lying for lying in self._lying if lying.tag is tag]
        for lying in here:
            self._lying.remove(lying)
            tag.field_off()
        return bool(here)

    def weaken(self, tag: Tag, miss: int, of: int) -> None:
        """Make a tag miss the first `miss` of every `of` senses; `miss` 0 heals it."""
        self._weak.pop(tag, None)
        if miss:
            self._weak[tag] = _Weak(miss, of)

    def tags(self) -> tuple[Tag, ...]:
        """What lies here now, coupled or not."""
        now = self._clock()
        for lying in [lying for lying in self._lying if lying.until is not None and lying.until <= now]:
            self._lying.remove(lying)
            lying.tag.field_off()
        return tuple(lying.tag for lying in self._lying if lying.since <= now)

    def sensed(self) -> tuple[Tag, ...]:
        """What answers one sense: this counts a turn for every weak tag."""
        answering = []
        for tag in self.tags():
            weak = self._weak.get(tag)
            if weak is not None:
                turn, weak.senses = weak.senses % weak.of, weak.senses + 1
                if turn < weak.miss:
                    continue
            answering.append(tag)
        return () if self.dead else tuple(answering)

    def reaches(self, tag: Tag) -> bool:
        """Whether a tag that was selected before still has power."""
        return not self.dead and any(tag is here for here in self.tags())

    def field_off(self) -> None:
        """The chip switched its field off: every tag forgets that it was selected."""
        for tag in self.tags():
            tag.field_off()
