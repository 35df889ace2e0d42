"""What a lamp shows: ``lamp(light, game)`` for the strip, and how that lamp looks on a screen.

The strip has no shapes, so a clan is known by its rhythm. Not here: which lamp sits where on a strip (``hardware.track``).
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from companion.look.tokens import RGB, Drive, tokens

DARK = 24
"""A lamp whose strongest colour drives no harder than this is drawn unlit on a screen."""


class LightLike(Protocol):
    """What is needed of ``companion.rules.view.Light``."""

    @property
    def role(self) -> str: ...
    @property
    def effect(self) -> str: ...


class Lamp(NamedTuple):
    """Linear drive 0..255 at full brightness, and twelve brightness steps 0..3 of one bar."""

    rgb: RGB
    rhythm: tuple[int, ...]

    @property
    def bits(self) -> int:
        """The rhythm as the wire has it: twelve 2-bit steps, the first in the top bits."""
        value = 0
        for step in self.rhythm:
            value = value << 2 | step
        return value


def lamp(light: LightLike, game: str) -> Lamp:
    """Colour and rhythm of a light: its clan's, or its role's (``todo``, ``kami``, ``war``); ``attention`` overrules both."""
    led = tokens().led
    if light.effect == "attention":
        return _lamp(led.step["attention"], None)
    own = led.clan.get(game, {}).get(light.role)
    if own is not None:
        return _lamp(led.step["now" if light.effect == "now" else "done"], own)
    drive = led.step.get(light.role) or led.step["todo"]
    if light.effect == "now":  # nobody's lamp is at work: it breathes as an idle strip does
        drive = Drive(rgb=drive.rgb, rhythm=led.idle_rhythm)
    return _lamp(drive, None)


def period_ms() -> int:
    """The length of one whole bar."""
    led = tokens().led
    return led.step_ms * led.steps


def on_screen(rgb: RGB) -> str | None:
    """The same lamp as a screen colour, as bright as light looks; None: it is drawn unlit."""
    top = max(rgb)
    if top <= DARK:
        return None
    return "#" + "".join(f"{min(255, round(255 * (0.18 + 0.82 * (value / top) ** (1 / 1.8)))):02X}" for value in rgb)


def _lamp(drive: Drive, own: Drive | None) -> Lamp:
    rgb = own.rgb if own is not None and drive.rgb == "clan" else drive.rgb
    rhythm = own.rhythm if own is not None and drive.rhythm == "clan" else drive.rhythm
    if isinstance(rgb, str):  # a clan's colour is wanted and there is no clan
        rgb = tokens().led.idle_rgb
    return Lamp(rgb, tuple(int(digit) for digit in rhythm))
