"""Other eyes: a picture as somebody without green cones (deuteranopia) sees it, and the writing of it as PNG. No Kivy.

The matrix is Machado, Oliveira and Fernandes (2009), severity 1.0, for linear light.
"""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache
from pathlib import Path

DEUTAN = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))


def _linear(value: int) -> float:
    v = value / 255
    return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4


def _coded(value: float) -> int:
    v = min(max(value, 0.0), 1.0)
    return round(255 * (12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055))


@lru_cache(maxsize=65536)
def deutan(colour: bytes) -> bytes:
    """Three bytes, red, green, blue, as they are seen."""
    light = [_linear(value) for value in colour]
    return bytes(_coded(sum(k * v for k, v in zip(row, light, strict=True))) for row in DEUTAN)


def seen(pixels: bytes) -> bytes:
    """A whole picture of three bytes a pixel."""
    known: dict[bytes, bytes] = {}
    out = bytearray(len(pixels))
    for i in range(0, len(pixels), 3):
        colour = pixels[i : i + 3]
        found = known.get(colour)
        if found is None:
            found = known[colour] = deutan(colour)
        out[i : i + 3] = found
    return bytes(out)


def save(path: Path, pixels: bytes, size: tuple[int, int]) -> None:
    """As PNG; rows from the bottom up, as OpenGL has them."""
    w, h = size
    rows = b"".join(b"\0" + pixels[3 * w * y : 3 * w * (y + 1)] for y in reversed(range(h)))

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", w, h, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b""))
