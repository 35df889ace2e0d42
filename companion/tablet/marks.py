"""Drawings as textures: made once for each size and colour, kept while the window lives, dropped when it wakes up again.

Not here: what a mark looks like (``companion.look.marks``), where it is drawn (``pen``).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from math import ceil, inf
from time import perf_counter
from typing import Any, Final, NamedTuple

import resvg_py
from kivy.core.image import Image as CoreImage
from kivy.core.window import Window
from kivy.graphics.texture import Texture

from companion.look import marks as look

SPELL: Final = 0.01
"""Seconds of drawing in one hasty frame. After that a drawing in another size stands in where there is one, else nothing, until the next."""


class Shelf:
    """What was drawn last, at most as many pixels as ``room`` says; the ones unused for longest go first."""

    def __init__(self, room: Callable[[], int]) -> None:
        self._room = room
        self._kept: OrderedDict[tuple[Any, ...], Texture] = OrderedDict()
        self._alike: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        self._pixels = 0

    def clear(self) -> None:
        self._kept.clear()
        self._alike.clear()
        self._pixels = 0

    def sized(self, what: tuple[Any, ...], width: int, height: int, make: Callable[[], Texture], *, lend: bool) -> Texture | None:
        """``get`` of a drawing in this size; with ``lend`` one in another size where this is missing and there is one, else None."""
        key = (*what, width, height)
        if lend and key not in self._kept:
            return self._kept.get(self._alike.get(what, ()))
        self._alike[what] = key
        return self.get(key, make)

    def get(self, key: tuple[Any, ...], make: Callable[[], Texture]) -> Texture:
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
            return found
        found = self._kept[key] = make()
        self._pixels += found.width * found.height
        while self._pixels > self._room() and len(self._kept) > 1:
            name, gone = self._kept.popitem(last=False)
            self._pixels -= gone.width * gone.height
            if self._alike.get(name[:-2]) == name:
                del self._alike[name[:-2]]
        return found


_shelf = Shelf(lambda: int(Window.width * Window.height))


def clear() -> None:
    """Forgets every texture: after a resume the graphics card has forgotten them too."""
    _shelf.clear()


def kept(key: tuple[Any, ...], make: Callable[[], Texture]) -> Texture:
    """The texture of that key, made when it is missing. As many are kept as would fill the window once."""
    return _shelf.get(key, make)


@contextmanager
def hasty() -> Iterator[None]:
    """A frame that people wait for: see ``SPELL``. Whoever draws in it asks ``owed`` whether to draw once more in the next."""
    _haste.left = SPELL
    try:
        yield
    finally:
        _haste.left = inf


@contextmanager
def patient() -> Iterator[None]:
    """What is drawn inside is kept elsewhere: nothing stands in for it, even in a hasty frame."""
    left, _haste.left = _haste.left, inf
    try:
        yield
    finally:
        _haste.left = left


class Owed(NamedTuple):
    """What a hasty frame has left for the next."""

    lent: bool
    """Something in another size has stood in."""
    lacking: bool
    """Something is not there at all."""


def owed() -> Owed:
    """Since this was asked last."""
    was = Owed(_haste.lent, _haste.lacking)
    _haste.lent = _haste.lacking = False
    return was


class _Haste:
    left = inf
    lent = lacking = False


_haste = _Haste()


def _sized(what: tuple[Any, ...], width: int, height: int, source: Callable[[], str]) -> Texture:
    def make() -> Texture:
        began = perf_counter()
        made = drawn(source(), width, height)
        _haste.left -= perf_counter() - began
        return made

    if width < 1 or height < 1:  # a window so small that nothing is left for it
        return _nothing()
    if _haste.left <= 0:
        found = _shelf.sized(what, width, height, make, lend=True)
        if found is None:
            _haste.lacking = True
            return _nothing()
        _haste.lent |= found.size != (width, height)
        return found
    made = _shelf.sized(what, width, height, make, lend=False)
    assert made is not None
    return made


def svg(source: str, width: int, height: int) -> Texture:
    """A whole SVG, drawn at exactly that size; in a hasty frame perhaps at another, or nothing, so give its place the size.

    Of no size at all it is nothing.
    """
    return _sized(("svg", source), width, height, lambda: source)


def mark(name: str, px: int, colour: str) -> Texture:
    """A mark in one colour (a clan mark in its own dyes); as ``svg``."""
    return _sized(("mark", name, colour), px, px, lambda: look.sheet(look.coloured(name, colour)))


def box(fill: str | None, edge: str | None, stroke: int, radius: int) -> Texture:
    """A rounded box as nine patches: corners of ``radius`` (at least ``stroke``) and two pixels of middle."""
    side = 2 * patch(stroke, radius) + 2
    half, inner = stroke / 2, max(0.0, radius - stroke / 2)
    shape = f'x="{half:g}" y="{half:g}" width="{side - stroke:g}" height="{side - stroke:g}" rx="{inner:g}"'
    line = f'stroke="{edge}" stroke-width="{stroke}"' if edge and stroke else ""
    body = f'<rect {shape} fill="{fill or "none"}" {line}/>'
    return kept(("box", fill, edge, stroke, radius), lambda: drawn(look.sheet(body, (0, 0, side, side)), side, side))


def patch(stroke: int, radius: int) -> int:
    """How much of a box's texture is corner: one pixel of the filling too, so that the middle is stretched from filling alone."""
    return max(radius, stroke) + 1


def disc(px: int, fill: str | None, edge: str | None, stroke: float) -> Texture:
    r = px / 2 - stroke / 2
    line = f'stroke="{edge}" stroke-width="{stroke:g}"' if edge and stroke else ""
    return svg(look.sheet(f'<circle cx="{px / 2:g}" cy="{px / 2:g}" r="{r:g}" fill="{fill or "none"}" {line}/>', (0, 0, px, px)), px, px)


def glow(px: int) -> Texture:
    """A soft white spot, to be tinted: the light of a lamp."""
    stops = '<stop offset="0.45" stop-color="#fff" stop-opacity=".55"/><stop offset="1" stop-color="#fff" stop-opacity="0"/>'
    body = f'<defs><radialGradient id="g">{stops}</radialGradient></defs><circle cx="24" cy="24" r="24" fill="url(#g)"/>'
    return svg(look.sheet(body), px, px)


def soft(width: float) -> Texture:
    """The cross-section of a smooth line ``width`` pixels wide, as ``stroke.ribbon`` with ``half = width / 2 + 1`` needs it."""
    quarters = max(2, round(width * 4))
    return kept(("soft", quarters), lambda: _soft(quarters / 4))


def ramp(colours: Sequence[tuple[float, float, float, float]]) -> Texture:
    """One pixel wide, the first colour at the top, fading through the others."""
    return kept(("ramp", tuple(colours)), lambda: _ramp(colours))


def modules(matrix: Sequence[Sequence[bool]]) -> Texture:
    """A QR code, one pixel a module, to be drawn with hard edges."""
    key = tuple(map(bytes, matrix))
    return kept(("qr", key), lambda: _modules(key))


def drawn(source: str, width: int, height: int) -> Texture:
    """An SVG that somebody else keeps."""
    png = resvg_py.svg_to_bytes(svg_string=source, width=width, height=height, skip_system_fonts=True)
    return CoreImage(BytesIO(bytes(png)), ext="png", nocache=True).texture


def _nothing() -> Texture:
    return kept(("nothing",), lambda: _blitted(1, 1, bytes(4), "nearest"))


def _blitted(width: int, height: int, data: bytes, scale: str) -> Texture:
    texture = Texture.create(size=(width, height), colorfmt="rgba")
    texture.blit_buffer(data, colorfmt="rgba", bufferfmt="ubyte")
    texture.wrap = "clamp_to_edge"
    texture.min_filter = texture.mag_filter = scale
    return texture


def _soft(width: float) -> Texture:
    rows = min(256, max(16, ceil((width + 2) * 4)))
    reach = width / 2 + 1
    alpha = [max(0.0, min(1.0, width / 2 + 0.5 - abs((i + 0.5) / rows * 2 - 1) * reach)) for i in range(rows)]
    return _blitted(1, rows, b"".join(bytes((255, 255, 255, round(255 * a))) for a in alpha), "linear")


def _ramp(colours: Sequence[tuple[float, float, float, float]]) -> Texture:
    rows = [bytes(round(255 * part) for part in colour) for colour in reversed(colours)]
    return _blitted(1, len(rows), b"".join(rows), "linear")


def _modules(rows: Sequence[bytes]) -> Texture:
    shades = bytes((255, 255, 255, 255)), bytes((0, 0, 0, 255))
    data = b"".join(shades[cell] for row in reversed(rows) for cell in row)
    return _blitted(len(rows[0]), len(rows), data, "nearest")
