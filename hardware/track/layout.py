"""Which lamp is which: named lamps and bars to segments, by a calibration file.

Here: the file (TOML) and the arithmetic. Not here: colours and rhythms (the look's tokens), direction and first lamp (the
firmware turns the strip round, so that everything up here counts from the near end).
"""

from __future__ import annotations

import itertools
import logging
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from firmware_proto.codec import FULL, MAX_LAMPS, MAX_SEGMENTS, ORDERS, STEPS, Picture, Segment, Settings
from firmware_proto.firmware.animator import BAR_MS, RESTING_LAMP_MA

LOGGER = logging.getLogger(__name__)

MOST_BARS = 12
"""Of one kind: no table has more seats. Segments are kept free for them."""

RGB = tuple[int, int, int]
Range = tuple[int, int]
"""(first lamp, how many)"""


class Lamp(NamedTuple):
    """What a named lamp, or a bar, should do."""

    rgb: RGB
    rhythm: str = "3" * STEPS
    """Twelve digits 0..3: brightness in thirds, a step each."""
    value: int = 1
    max: int = 1
    """For a bar: ``value`` of ``max`` is lit."""


class LayoutError(ValueError):
    """The calibration file cannot be used. One line for each fault: file, key, what is wrong, what would be right."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


@dataclass(frozen=True)
class Layout:
    """One strip, calibrated."""

    settings: Settings
    """What the device is told about its strip."""
    lamps: Mapping[str, Range]
    bars: Mapping[str, Range]

    def picture(self, lamps: Mapping[str, Lamp | tuple[RGB, str]]) -> Picture:
        """The whole strip. A name this strip has no place for is left out. ValueError for a colour or rhythm that is none."""
        segments: list[Segment] = []
        bars: dict[str, list[Lamp]] = {}
        for name, told in lamps.items():
            lamp = Lamp(*told)
            kind, dot, _ = name.partition(".")
            if name in self.lamps:
                first, length = self.lamps[name]
                segments.append(_segment(first, length, lamp))
            elif dot and kind in self.bars:
                bars.setdefault(kind, []).append(lamp)
            else:
                LOGGER.debug("the LED track has no lamp named %s", name)
        for kind, several in bars.items():
            segments += _shared(self.bars[kind], several[:MOST_BARS])
        return Picture(0, self.settings.brightness, tuple(sorted(segments, key=lambda s: s.first)))


def _segment(first: int, length: int, lamp: Lamp) -> Segment:
    rhythm = rhythm_bits(lamp.rhythm)
    steady = len(set(lamp.rhythm)) == 1
    return Segment(first, length, lamp.rgb, rhythm, 0 if steady else BAR_MS)


def _shared(room: Range, bars: list[Lamp]) -> list[Segment]:
    """Bars side by side in ``room``, with a dark lamp between two where there is room for one."""
    first, length = room
    share = max(1, length // len(bars))
    whole = share - 1 if share >= 4 else share
    out = []
    for i, bar in enumerate(bars):
        lit = _lit(bar, whole)
        if lit and (i + 1) * share <= length:
            out.append(_segment(first + i * share, lit, bar))
    return out


def _lit(bar: Lamp, whole: int) -> int:
    """How many of ``whole`` lamps: none only for nothing, all only for all."""
    if bar.value <= 0 or bar.max <= 0:
        return 0
    if bar.value >= bar.max:
        return whole
    return max(1, min(whole - 1, (2 * bar.value * whole + bar.max) // (2 * bar.max)))


def rhythm_bits(rhythm: str) -> int:
    """``333333000000`` as the wire carries it."""
    if len(rhythm) != STEPS or set(rhythm) - set("0123"):
        raise ValueError(f"a rhythm is {STEPS} digits 0 to 3, not {rhythm!r}")
    return int(rhythm, 4) & FULL


# ------------------------------------------------------------------------------------------------------------- the file


def load(path: Path | None = None) -> Layout:
    """The calibration in this file; None: the track of 60 lamps in ``default.toml``. Raises LayoutError."""
    file = path or Path(__file__).with_name("default.toml")
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise LayoutError([f"{file}: cannot be read ({error.strerror}); name another file, or none for the track of 60 lamps"]) from error
    except UnicodeDecodeError as error:
        raise LayoutError([f"{file}: is not UTF-8 text (byte {error.start + 1}); save it as UTF-8"]) from error
    return parse(text, str(file))


def parse(text: str, name: str = "track.toml") -> Layout:
    """``name`` is what faults call the file. Every fault is found at once. Raises LayoutError."""
    try:
        told = tomllib.loads(text)
    except RecursionError as error:
        raise LayoutError([f"{name}: is nested too deep; write plain tables"]) from error
    except ValueError as error:  # TOMLDecodeError, and int() on a number of a thousand digits
        raise LayoutError([f"{name}: is not TOML: {error}"]) from error
    reading = _Reading(name)
    layout = reading.layout(told)
    if reading.faults:
        raise LayoutError(reading.faults)
    return layout


class _Reading:
    """One pass over the file; goes on after a fault, to name them all."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.faults: list[str] = []

    def layout(self, told: Mapping[str, object]) -> Layout:
        for key in set(told) - {"strip", "lamps", "bars"}:
            self.fault(key, "is not known here; the sections are strip, lamps, bars")
        strip = self.section(told, "strip")
        for key in sorted(set(strip) - {"length", "first", "reversed", "order", "cap_ma", "brightness", "gamma"}):
            self.fault(f"strip.{key}", "is not known here; remove it, or see docs/hardware-track.md for what there is")
        length = self.number(strip, "length", 60, 1, MAX_LAMPS)
        first = self.number(strip, "first", 0, 0, 255)
        least = RESTING_LAMP_MA * (first + length) + 20
        settings = Settings(
            lamps=length,
            first=first,
            reversed=self.flag(strip, "reversed"),
            order=self.order(strip),
            cap_ma=self.number(strip, "cap_ma", 500, least, 0xFFFF),
            brightness=self.share(strip, "brightness", 0.25),
            gamma=self.flag(strip, "gamma"),
        )
        lamps = self.ranges(told, "lamps", length)
        bars = self.ranges(told, "bars", length)
        self.apart({f"lamps.{k}": v for k, v in lamps.items()} | {f"bars.{k}": v for k, v in bars.items()})
        spare = MAX_SEGMENTS - MOST_BARS * len(bars)
        if len(lamps) > spare:
            self.fault("lamps", f"has {len(lamps)} names, the line carries {spare} beside {len(bars)} kinds of bars; remove some")
        return Layout(settings, lamps, bars)

    def fault(self, key: str, text: str) -> None:
        self.faults.append(f"{self.name}: {key} {text}")

    def section(self, told: Mapping[str, object], key: str) -> Mapping[str, object]:
        found = told.get(key, {})
        if isinstance(found, dict):
            return found
        self.fault(key, f"must be a section: write [{key}] on a line of its own")
        return {}

    def number(self, strip: Mapping[str, object], key: str, otherwise: int, low: int, high: int) -> int:
        value = strip.get(key, otherwise)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        self.fault(f"strip.{key}", f"is {value!r}, must be a whole number from {low} to {high}")
        return otherwise

    def share(self, strip: Mapping[str, object], key: str, otherwise: float) -> int:
        value = strip.get(key, otherwise)
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
            self.fault(f"strip.{key}", f"is {value!r}, must be a number from 0 to 1")
            value = otherwise
        return round(value * 255)

    def flag(self, strip: Mapping[str, object], key: str) -> bool:
        value = strip.get(key, False)
        if not isinstance(value, bool):
            self.fault(f"strip.{key}", f"is {value!r}, must be true or false")
        return value is True

    def order(self, strip: Mapping[str, object]) -> str:
        value = strip.get("order", "grb")
        if value in ORDERS:
            return str(value)
        self.fault("strip.order", f"is {value!r}, must be one of {', '.join(ORDERS)}")
        return "grb"

    def ranges(self, told: Mapping[str, object], section: str, length: int) -> dict[str, Range]:
        """A table nested by an unquoted dotted name (``mandate.1 = ...``) is read as the dotted name that was meant."""
        out: dict[str, Range] = {}
        for name, value in _flat(self.section(told, section)):
            match value:
                case [int(first), int(many)] if first >= 0 and many >= 1 and first + many <= length:
                    out[name] = (first, many)
                case [int(), int()]:
                    self.fault(f"{section}.{name}", f"is {value}, but this strip has lamps 0 to {length - 1}")
                case _:
                    self.fault(f"{section}.{name}", f"is {value!r}, must be [first lamp, how many]")
        return out

    def apart(self, ranges: Mapping[str, Range]) -> None:
        order = sorted(ranges.items(), key=lambda item: item[1])
        for (name, (first, many)), (other, (start, _)) in itertools.pairwise(order):
            if first + many > start:
                self.fault(other, f"begins at lamp {start}, which belongs to {name}; move one of them")


def _flat(table: Mapping[str, object], before: str = "") -> list[tuple[str, object]]:
    out: list[tuple[str, object]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            out += _flat(value, f"{before}{key}.")
        else:
            out.append((before + key, value))
    return out
