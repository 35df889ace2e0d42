"""Plots over the steps of a game: one line a seat, in its dye, with its lamp's rhythm and its mark at the end; never colour alone.

Here: where lines go and how they are drawn. Not here: what is plotted (``past``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from companion.look.lamps import lamp
from companion.rules.game import Seat
from companion.rules.view import Light
from companion.tablet import lettering, stroke
from companion.tablet.fonts import BOLD, DISPLAY
from companion.tablet.layout import Box
from companion.tablet.pen import Pen

Series = Mapping[Seat, Sequence[int | None]]
TICKS = (1, 2, 5)


class Plan(NamedTuple):
    """Where a plot's numbers are on the screen."""

    box: Box
    """Of the lines alone."""
    steps: int
    low: float
    high: float

    def x(self, step: float) -> float:
        return self.box.x + self.box.w * step / max(1, self.steps - 1)

    def y(self, value: float) -> float:
        return self.box.bottom - self.box.h * (value - self.low) / ((self.high - self.low) or 1)

    def step(self, x: float) -> int:
        """The step nearest to a point."""
        return min(max(round((x - self.box.x) / max(1, self.box.w) * (self.steps - 1)), 0), max(0, self.steps - 1))


def grid(low: int, high: int, most: int = 4) -> list[int]:
    """Round numbers from ``low`` to ``high`` or beyond, at most ``most`` steps apart."""
    span = max(1, high - low)
    step = next(k * 10**power for power in range(7) for k in TICKS if k * 10**power * most >= span)
    first = low // step * step
    return list(range(first, first + step * (-(-(high - first) // step)) + 1, step)) or [low]


def bends(values: Sequence[int | None]) -> list[tuple[int, int]]:
    """Only the steps at which a line changes, and its ends: a long game is as quickly drawn as a short one."""
    found: list[tuple[int, int]] = []
    before: tuple[int, int] | None = None
    for step, value in enumerate(values):
        if value is None:
            continue
        if before is None:
            found.append((step, value))
        elif value != before[1]:
            if found[-1] != before:
                found.append(before)
            found.append((step, value))
        before = (step, value)
    if before is not None and found[-1] != before:
        found.append(before)
    return found


def spread(wanted: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """The heights of labels, each as near to where it is wanted as they can all stand ``apart``, within low..high."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    out = [0.0] * len(wanted)
    at = low - apart
    for i in order:
        at = out[i] = max(wanted[i], at + apart)
    at = high + apart
    for i in reversed(order):
        at = out[i] = min(out[i], at - apart)
    return out


def lengths(seat: Seat, game: str, unit: float) -> tuple[float, ...]:
    """A clan's rhythm on the lamps as dashes and gaps; who has none gets an unbroken line."""
    steps = lamp(Light("", seat, "now"), game).rhythm
    runs = [(on, sum(1 for _ in run) * unit) for on, run in groupby(step > 0 for step in steps)]
    if len(runs) < 2:
        return (1e9, 1.0)
    if not runs[0][0]:
        runs = [*runs[1:], runs[0]]
    if len(runs) % 2:
        runs = [(True, runs[0][1] + runs[-1][1]), *runs[1:-1]]
    return tuple(length for _, length in runs)


def paint(pen: Pen, box: Box, series: Series, *, game: str, at: int, places: bool = False) -> Plan:
    """A plot in a rectangle; ``at``: the step that is looked at. ``places``: the first place is on top, and every place has its line."""
    m = pen.m
    sign, wide = m.px(24), lettering.width("88", DISPLAY, m.sp(18))
    values = [value for line in series.values() for value in line if value is not None] or [0]
    ticks = list(range(1, max(values) + 1)) if places else grid(min(0, *values), max(values))
    number = m.sp(13)
    left = box.x + lettering.width(str(ticks[-1]), BOLD, number) + m.px(10)
    end = box.right - sign - wide - m.px(18)
    rim = max(sign, number) / 2
    inner = Box(left, round(box.y + rim), max(10, end - left), max(10, round(box.h - 2 * rim)))
    steps = max((len(line) for line in series.values()), default=1)
    low, high = (ticks[-1], ticks[0]) if places else (ticks[0], ticks[-1])
    plan = Plan(inner, steps, float(low), float(high))
    for tick in ticks:
        y = plan.y(tick)
        pen.rect(inner.x, y, inner.w, 1, "line")
        pen.line(str(tick), inner.x - m.px(6), y, BOLD, number, "ink_soft", "right")
    middle = (len(series) - 1) / 2  # of two that have the same, both are seen
    shifts = {seat: 0.0 if places else (i - middle) * m.px(2) for i, seat in enumerate(series)}
    for seat, line in series.items():
        _line(pen, plan, seat, line, game, shifts[seat])
    x = plan.x(at)
    pen.rect(x - m.px(1), inner.y - m.px(6), m.px(2), inner.h + m.px(12), "indigo")
    _ends(pen, plan, series, at, sign, shifts)
    return plan


def _line(pen: Pen, plan: Plan, seat: Seat, line: Sequence[int | None], game: str, shift: float) -> None:
    """A thin thread of ink all the way; on it the dye, with a rim, in the clan's rhythm."""
    m = pen.m
    points = [(plan.x(step), plan.y(value) + shift) for step, value in bends(line)]
    if len(points) == 1:
        points.append((points[0][0] + 1, points[0][1]))
    if not points:
        return
    pen.ribbon(points, max(1.2, 1.6 * m.unit), "ink")
    dashes = list(stroke.rhythm(points, lengths(seat, game, 3.4 * m.unit)))
    pen.ribbons(dashes, 6.4 * m.unit, "ink")
    pen.ribbons(dashes, 4.0 * m.unit, pen.style.theme.clan(seat).base)


def _ends(pen: Pen, plan: Plan, series: Series, at: int, sign: int, shifts: Mapping[Seat, float]) -> None:
    """Where a line ends: its mark and number; and a bead on every line at the step that is looked at."""
    m = pen.m
    seats = [seat for seat, line in series.items() if bends(line)]
    wanted = [plan.y(bends(series[seat])[-1][1]) for seat in seats]
    apart = min(float(sign), plan.box.h / max(1, len(seats) - 1)) if len(seats) > 1 else float(sign)
    for seat, y, own in zip(seats, spread(wanted, apart, plan.box.y, plan.box.bottom), wanted, strict=True):
        x = plan.box.right + m.px(6)
        if abs(y - own) > 2:
            pen.ribbon([(plan.box.right, own), (x, y)], max(1.0, 1.2 * m.unit), "edge")
        if not pen.mark(f"clan/{seat}", x, y - sign / 2, sign):
            pen.disc(x + sign / 2, y, sign / 2, "sunk", "edge", m.px(2))
            pen.line(pen.style.theme.clan(seat).letter, x + sign / 2, y, BOLD, m.sp(13), "ink", "centre")
        pen.line(str(bends(series[seat])[-1][1]), x + sign + m.px(6), y, DISPLAY, m.sp(18))
    for seat, line in series.items():
        value = line[min(at, len(line) - 1)] if line else None
        if value is not None:
            pen.disc(plan.x(at), plan.y(value) + shifts[seat], m.px(6), pen.style.theme.clan(seat).base, "ink", m.px(2))
