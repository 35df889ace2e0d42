"""Frames on the LED track's line; runs unchanged on CPython and on MicroPython.

Here: COBS, CRC-32, and a Reader for the receiving end. Not here: what a payload means (``codec``), ports, time.

A frame is ``00 | COBS(payload | CRC-32(payload), big endian) | 00``. The zero in front cuts off whatever noise came before it.
"""

import binascii
import struct

MAX_FRAME = 700
"""Encoded bytes between two zeros. The largest picture is 5 + 64 * 10 bytes, its CRC 4, COBS adds 3: 652."""


def encode(data: bytes) -> bytes:
    """COBS: the same data without a zero byte in it."""
    out = bytearray()
    runs = data.split(b"\0")
    last = len(runs) - 1
    for i, run in enumerate(runs):
        done = 0
        while len(run) - done >= 254:
            out.append(255)
            out.extend(run[done : done + 254])
            done += 254
        # A full block has no zero behind it: one that ends its run needs an empty block to carry the zero, at the end none.
        if not done or done < len(run) or i < last:
            out.append(len(run) - done + 1)
            out.extend(run[done:])
    return bytes(out)


def decode(data: bytes) -> bytes | None:
    """Undo ``encode``; None for what COBS cannot have made."""
    out = bytearray()
    i = 0
    size = len(data)
    while i < size:
        code = data[i]
        block = data[i + 1 : i + code]
        if not code or len(block) != code - 1 or b"\0" in block:
            return None
        out.extend(block)
        i += code
        if code < 255 and i < size:
            out.append(0)
    return bytes(out)


def frame(payload: bytes) -> bytes:
    """The bytes that carry this payload over the line."""
    return b"\0" + encode(payload + struct.pack(">I", binascii.crc32(payload))) + b"\0"


class Reader:
    """Feed what arrives, in pieces of any size; get the payloads that came through whole."""

    def __init__(self, limit: int = MAX_FRAME) -> None:
        self.bad = 0
        """Frames dropped: too long, not COBS, or their CRC did not match."""
        self._limit = limit
        self._held = bytearray()
        self._flood = False

    def feed(self, data: bytes) -> list[bytes]:
        """Whole payloads in the order they came. Never raises, never holds more than ``limit`` bytes."""
        out: list[bytes] = []
        start = 0
        while True:
            end = data.find(b"\0", start)
            piece = data[start:] if end < 0 else data[start:end]
            if self._flood or len(self._held) + len(piece) > self._limit:
                self._flood = True
                self._held = bytearray()
            else:
                self._held.extend(piece)
            if end < 0:
                return out
            start = end + 1
            if self._flood:
                self._flood = False
                self.bad += 1
            elif self._held:
                payload = _checked(bytes(self._held))
                self._held = bytearray()
                if payload is None:
                    self.bad += 1
                else:
                    out.append(payload)


def _checked(held: bytes) -> bytes | None:
    whole = decode(held)
    if whole is None or len(whole) < 4:
        return None
    payload = whole[:-4]
    return payload if struct.pack(">I", binascii.crc32(payload)) == whole[-4:] else None
