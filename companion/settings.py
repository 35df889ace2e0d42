"""What the owner asked for on the command line. Here: one frozen record, checked. Not here: parsing of words (cli) or any work."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.table.setup import STRICT


@dataclass(frozen=True, slots=True)
class Settings:
    """How one table is run. Paths are absolute or relative to the working directory."""

    data: Path
    """Where the journal lives; made with mode 0700."""
    game: str = "rising_sun"
    seats: tuple[str, ...] = ()
    """Empty: resume the newest game, or the game's own default seats for a new one."""
    options: tuple[tuple[str, str], ...] = ()
    bots: tuple[str, ...] = ()
    """Seats that bots play from the start, beside those that the saved game has."""
    new: bool = False
    """Start a new game even if one can be resumed."""
    level: str = STRICT
    """How a new game keeps the rules (``table.setup.LEVELS``)."""
    resume: str = ""
    """Id of the game to resume; "": the newest."""
    position: Path | None = None
    """A record whose position a new game begins from."""
    override: Path | None = None
    """The owner's facts."""
    figures: Path | None = None
    """UID file of the tagged figures; None: with simulated readers, simulated figures."""
    host: str = "0.0.0.0"  # noqa: S104 - phones on the LAN must reach the page
    port: int = 8788
    addresses: tuple[str, ...] = ()
    """Names or addresses for the QR codes instead of the LAN addresses found."""
    readers: tuple[tuple[str, str], ...] = ()
    """(path, place or ""): readers named by the owner; empty: found by handshake."""
    track: str = ""
    """Serial path of the strip; "": found by handshake."""
    calibration: Path | None = None
    """Which lamp of the strip is which (docs/hardware-track.md)."""
    simulate: bool | None = None
    """True: simulated devices; False: never; None: when none is attached."""
    sim_table: str = ""
    """A simulated table beside them: ``one`` reader or readers under all ``zones``; "": none."""
    headless: bool = False
    seconds: float | None = None
    """Stop by itself after so long."""
    language: str = "en"
    theme: str = "day"
    inspect: Path | None = None
    """A Unix socket (mode 0600) that tells tests and helpers what the table shows; never a way to act."""
