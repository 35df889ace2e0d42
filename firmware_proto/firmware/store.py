"""What the device remembers when its power goes: two small files beside main.py.

``track.json`` holds the settings, readable and editable with mpremote. ``track.pic`` holds the last picture as the frame that
brought it, CRC and all. A file that makes no sense is moved aside (``.bad``) and the defaults hold; a full or broken flash
costs the memory, never the show.
"""

import json
import os

from firmware_proto import codec
from firmware_proto.codec import Fault, Picture, Settings
from firmware_proto.framing import Reader

TYPE_CHECKING = False  # MicroPython has no typing module; type checkers know the name
if TYPE_CHECKING:
    from typing import Any

SETTINGS = "track.json"
PICTURE = "track.pic"
REST_MS = 10000
"""A picture is written once it has stood this long: flash wears, and a game night has hundreds of pictures."""

FIELDS = tuple([f for f in Settings.FIELDS if f != "seq"])


class Store:
    """The two files, in the directory ``at``."""

    def __init__(self, at: str = "") -> None:
        self._at = at
        self.wire = "usb"
        """``usb`` or ``uart``; only ever changed by hand in track.json, since a wrong one cuts the line."""
        self._kept: Picture | None = None
        self._wanted: Picture | None = None
        self._since = 0

    def settings(self) -> Settings:
        """What track.json says; the defaults where it says nothing."""
        try:
            with open(self._at + SETTINGS) as file:
                told = json.load(file)
            self.wire = _one_of(told, "wire", ("usb", "uart"), self.wire)
            return Settings(0, **{k: _like(told[k], getattr(Settings(), k)) for k in FIELDS if k in told})
        except OSError:
            return Settings()
        except (ValueError, TypeError, AttributeError, KeyError):
            self._aside(SETTINGS)
            return Settings()

    def picture(self) -> Picture | None:
        """The picture shown before the power went, if it was kept and is whole."""
        try:
            with open(self._at + PICTURE, "rb") as file:
                payloads = Reader().feed(file.read())
        except OSError:
            return None
        message = codec.unpack(payloads[0]) if len(payloads) == 1 else Fault("length", "not one frame")
        if not isinstance(message, Picture):
            self._aside(PICTURE)
            return None
        self._kept = self._wanted = message
        return message

    def save(self, settings: Settings) -> None:
        told: dict[str, object] = {k: getattr(settings, k) for k in FIELDS}
        told["wire"] = self.wire
        self._write(SETTINGS, json.dumps(told).encode())

    def keep(self, picture: Picture | None, now: int) -> None:
        """Call often. Writes ``picture`` once it has stood for REST_MS; forgets at once when there is none."""
        if picture is not self._wanted:
            self._wanted, self._since = picture, now
        if self._wanted is self._kept or (picture is not None and now - self._since < REST_MS):
            return
        self._kept = picture
        if picture is not None:
            self._write(PICTURE, codec.pack(picture))
        else:
            try:
                os.remove(self._at + PICTURE)
            except OSError:
                pass  # it was never written

    def _write(self, name: str, data: bytes) -> None:
        """All of it or nothing: a rename is one step on littlefs."""
        try:
            with open(self._at + name + ".new", "wb") as file:
                file.write(data)
            os.rename(self._at + name + ".new", self._at + name)
        except OSError:
            pass  # a full flash must not stop the lamps; the host tells the settings again at its next hello anyway

    def _aside(self, name: str) -> None:
        try:
            os.rename(self._at + name, self._at + name + ".bad")
        except OSError:
            pass  # it will be found bad again


def _like(value: object, example: object) -> "Any":
    """JSON does not tell 60 from "60" or 60.0; the animator would, in the middle of the night."""
    if type(value) is not type(example):
        raise TypeError
    return value


def _one_of(told: dict[str, str], key: str, allowed: tuple[str, ...], otherwise: str) -> str:
    value = told.get(key, otherwise)
    if value not in allowed:
        raise ValueError(key)
    return value
