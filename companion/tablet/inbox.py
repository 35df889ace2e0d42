"""The one way from other threads to the window: a queue and one trigger that drains it in order on Kivy's thread.

Of several updates that wait together only the newest is drawn; what the older ones wanted to say is still said. No Kivy here: the
trigger is handed in.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple


class Update(NamedTuple):
    """A whole picture of the table."""

    picture: Any


class Answered(NamedTuple):
    """What the referee said to a command played here."""

    seat: str
    answer: Any


class Asked(NamedTuple):
    """Something to run on Kivy's thread: an answer of the desk, a test, the service."""

    run: Callable[[], None]


Item = Update | Answered | Asked


class Inbox:
    """``put`` from any thread; ``drain`` on Kivy's."""

    def __init__(self, wake: Callable[[], object], handle: Callable[[Item], None], passed: Callable[[Any], None]) -> None:
        """``handle`` gets every item that counts; ``passed`` each picture that a newer one has overtaken."""
        self._queue: SimpleQueue[Item] = SimpleQueue()
        self._wake, self._handle, self._passed = wake, handle, passed

    def put(self, item: Item) -> None:
        self._queue.put(item)
        self._wake()

    def drain(self, *_: object) -> int:
        """Handles everything that waits, in order; returns how much that was."""
        items: list[Item] = []
        while True:
            try:
                items.append(self._queue.get_nowait())
            except Empty:
                break
        newest = max((i for i, item in enumerate(items) if isinstance(item, Update)), default=-1)
        for i, item in enumerate(items):
            if isinstance(item, Update) and i != newest:
                self._passed(item.picture)
            else:
                self._handle(item)
        return len(items)
