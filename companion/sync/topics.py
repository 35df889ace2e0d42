"""Names on the wire: the topics of one game, who a broker user is, and what each user may do there.

Here: building and reading topics and user names, and the access list of contract 4. Not here: connections, keys, payloads.
Everything is refused that is not listed.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

PROTOCOL: Final = 1
ROOT: Final = f"jinmaku/{PROTOCOL}"

TABLE: Final = "table"
"""The referee's own broker user and presence name; no seat may be called so."""
GUEST: Final = "guest"
"""The user that reads the open table and nothing else; no seat may be called so."""

_GAME = re.compile(r"[a-z0-9]{8}")
_SEAT = re.compile(r"[a-z0-9_]{1,32}")
_USER = re.compile(r"([a-z0-9_]{1,32})\.(0|[1-9][0-9]{0,4})")


def is_game_id(text: str) -> bool:
    """Eight of ``a-z0-9``: nothing that a topic filter or a URL fragment could trip over."""
    return _GAME.fullmatch(text) is not None


def is_seat(text: str) -> bool:
    """A clan id that is neither the table's nor the guest's name."""
    return _SEAT.fullmatch(text) is not None and text not in {TABLE, GUEST}


def seat_user(seat: str, epoch: int) -> str:
    """The broker user of one seat's epoch: ``koi.3``."""
    return f"{seat}.{epoch}"


def read_user(user: str) -> tuple[str, int] | None:
    """``koi.3`` -> ("koi", 3); None for anything else, the table and the guest included."""
    found = _USER.fullmatch(user)
    if found is None or not is_seat(found[1]) or int(found[2]) > 0xFFFF:
        return None
    return found[1], int(found[2])


class Topics(Struct, frozen=True):
    """The topics of one game."""

    game_id: str

    @property
    def base(self) -> str:
        return f"{ROOT}/{self.game_id}"

    @property
    def open(self) -> str:
        """The open table: retained, the same for everybody."""
        return f"{self.base}/open"

    def down(self, seat: str) -> str:
        """Sealed, from the referee to one seat."""
        return f"{self.base}/seat/{seat}/down"

    def up(self, seat: str) -> str:
        """Sealed, from one seat to the referee."""
        return f"{self.base}/seat/{seat}/up"

    def presence(self, who: str) -> str:
        """Birth and will of ``table`` or a seat: retained."""
        return f"{self.base}/presence/{who}"

    @property
    def every_up(self) -> str:
        return self.up("+")

    @property
    def every_presence(self) -> str:
        return self.presence("+")

    def seat_of_up(self, topic: str) -> str | None:
        """The seat whose up topic this is, else None."""
        return self._between(topic, f"{self.base}/seat/", "/up")

    def who_of_presence(self, topic: str) -> str | None:
        """Whose presence this topic tells, else None."""
        if topic == self.presence(TABLE):
            return TABLE
        return self._between(topic, f"{self.base}/presence/", "")

    @staticmethod
    def _between(topic: str, head: str, tail: str) -> str | None:
        if not topic.startswith(head) or not topic.endswith(tail) or len(topic) < len(head) + len(tail):
            return None
        seat = topic[len(head) : len(topic) - len(tail)]
        return seat if is_seat(seat) else None


def game_of(topic: str) -> str | None:
    """The game id in any topic of ours, else None."""
    words = topic.split("/")
    if len(words) < 4 or "/".join(words[:2]) != ROOT or not is_game_id(words[2]):
        return None
    return words[2]


def allowed(game_id: str, user: str, action: str, topic: str) -> bool:
    """May this broker user publish to (``pub``), subscribe to (``sub``) or be delivered (``get``) this topic or filter?

    The table: anything of ours. A seat: its own down, the open table and everybody's presence in; its own up and its own
    presence out. The guest: the open table in. Whether that seat's epoch still lives is ``keys.Keyring``'s to say.
    """
    names = Topics(game_id)
    if user == TABLE:
        return topic.startswith(f"{ROOT}/")
    reads = action in {"sub", "get"}
    if user == GUEST:
        return reads and topic == names.open
    who = read_user(user)
    if who is None:
        return False
    seat = who[0]
    if reads:
        if topic in {names.down(seat), names.open}:
            return True
        return (action == "sub" and topic == names.every_presence) or names.who_of_presence(topic) is not None
    return action == "pub" and topic in {names.up(seat), names.presence(seat)}
