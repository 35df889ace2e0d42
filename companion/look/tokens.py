"""Reads ``tokens.toml`` once into frozen values. Not here: what a theme or a lamp makes of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.compiled import compiled

RGB = tuple[int, int, int]


class Clan(Struct, frozen=True):
    """A clan's dyes: ``base`` fills its shape, ``on`` draws the letter, ``weave`` the inner pattern."""

    letter: str
    base: str
    on: str
    weave: str
    dye: str


class Type(Struct, frozen=True):
    """Families, in order of preference, and the sizes ``[size, line height, weight]`` of every role on each screen."""

    display: tuple[str, ...]
    text: tuple[str, ...]
    mono: tuple[str, ...]
    user_scale: tuple[float, ...]
    tablet: dict[str, tuple[int, int, int]]
    phone: dict[str, tuple[int, int, int]]


class Touch(Struct, frozen=True):
    target_mm: float
    gap_mm: float
    phone_min: int
    repeat_ms: int
    hold_ms: int


class Motion(Struct, frozen=True):
    press: int
    quick: int
    turn: int
    reveal: int
    curtain_open: int
    curtain_close: int
    pulse: int
    easing: str


class Tone(Struct, frozen=True):
    """A state word: its colour role and its drawing."""

    color: str
    mark: str


class Drive(Struct, frozen=True):
    """How a lamp of one role shines; ``"clan"`` stands for the clan's own value."""

    rgb: RGB | str
    rhythm: str


class Led(Struct, frozen=True):
    step_ms: int
    ease_ms: int
    steps: int
    default_brightness: float
    current_cap_ma: int
    idle_rhythm: str
    idle_rgb: RGB
    step: dict[str, Drive]
    clan: dict[str, dict[str, Drive]]


class Tokens(Struct, frozen=True):
    schema: int
    color: dict[str, dict[str, str]]
    clan: dict[str, dict[str, Clan]]
    type: Type
    space: dict[str, int]
    radius: dict[str, int]
    stroke: dict[str, int]
    touch: Touch
    elevation: dict[str, tuple[int, int, float]]
    motion: Motion
    state: dict[str, Tone]
    led: Led


@cache
def tokens() -> Tokens:
    """The one set of tokens. Raises ``msgspec.ValidationError`` naming the faulty key."""
    source = Path(__file__).with_name("tokens.toml")
    text = source.read_bytes()
    return msgspec.convert(compiled(source, text, "toml", lambda: msgspec.toml.decode(text)), Tokens)
