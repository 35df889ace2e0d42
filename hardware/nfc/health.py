"""The state of one reader as the health page shows it. Only data and its wording."""

import msgspec

from hardware.nfc.life import State
from hardware.nfc.said import Said


class Health(msgspec.Struct, frozen=True):
    """A snapshot; times are ages in seconds."""

    name: str
    place: str | None
    state: State
    said: Said
    """The one thing to know, or to do."""
    since: float
    """How long it has been in this state."""
    device: str = ""
    model: str = ""
    heartbeat: float | None = None
    """Since the last question that the reader answered; None if it never did."""
    drops: int = 0
    """How often it was lost."""
    quality: float = 1.0
    """Part of the last questions that were answered cleanly."""
    lying: tuple[str, ...] = ()
    uncertain: tuple[str, ...] = ()
    tried: tuple[Said, ...] = ()
    """What was found in the search and passed over."""

    @property
    def tone(self) -> str:
        """`ok`, `waiting` (nothing to do, or not yet known) or `careful` (there is something to do)."""
        if self.state is State.READY:
            return "ok" if self.said.key == "ready" else "careful"
        calm = {"starting", "opening", "handshaking", "none", "absent", "stopped"}
        return "waiting" if self.said.key in calm else "careful"

    @property
    def line(self) -> str:
        """One line for a console."""
        parts = [f"{self.name}{f' ({self.place})' if self.place else ''}: {self.state} for {self.since:.0f} s"]
        if self.heartbeat is not None:
            parts.append(f"last answer {self.heartbeat:.1f} s ago")
        if self.lying:
            parts.append(f"{len(self.lying)} tag{'s' if len(self.lying) > 1 else ''} lying")
        if self.uncertain:
            parts.append(f"{len(self.uncertain)} uncertain")
        if self.drops:
            parts.append(f"lost {self.drops} time{'s' if self.drops > 1 else ''}")
        return f"{', '.join(parts)}. {self.said.text}"
