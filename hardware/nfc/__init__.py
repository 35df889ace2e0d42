"""NFC readers: what to import from outside. Nothing here needs a reader to be there, or nfcpy before one is."""

from hardware.nfc.arbiter import Arbiter, Conflict
from hardware.nfc.health import Health
from hardware.nfc.life import State
from hardware.nfc.reader import Reader, Tuning
from hardware.nfc.readers import Place, Readers
from hardware.nfc.said import Said
from hardware.nfc.sighting import Sighting
from hardware.nfc.uid import Check, Verdict, check, uid_bytes, uid_text

__all__ = [
    "Arbiter",
    "Check",
    "Conflict",
    "Health",
    "Place",
    "Reader",
    "Readers",
    "Said",
    "Sighting",
    "State",
    "Tuning",
    "Verdict",
    "check",
    "uid_bytes",
    "uid_text",
]
