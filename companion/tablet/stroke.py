"""Lines as meshes with soft edges: geometry only. Pure, no Kivy.

Kivy's own lines are jagged where the graphics card has no multisampling. Here a line becomes a ribbon one pixel wider than asked,
whose texture fades at both edges, so it is smooth on every card.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, cos, hypot, pi, sin

Point = tuple[float, float]
Ring = list[Point]

SHARP = 2.5
"""A mitre longer than this, in half widths, is cut."""


Spine = list[tuple[float, float, float, float]]
"""Points of a line, each with the direction across it: what a ribbon of any width is made of."""


def spine(points: Sequence[Point], *, closed: bool = False) -> Spine:
    """The line without doubled points; a closed one comes back to its first point."""
    line = [p for i, p in enumerate(points) if not i or hypot(p[0] - points[i - 1][0], p[1] - points[i - 1][1]) > 1e-6]
    if closed and len(line) > 1 and hypot(line[0][0] - line[-1][0], line[0][1] - line[-1][1]) < 1e-6:
        line.pop()
    n = len(line)
    if n < 2:
        return []
    out: Spine = []
    for i in range(n + closed):
        at = line[i % n]
        before = line[i - 1] if i or closed else line[0]
        after = line[(i + 1) % n] if i < n - 1 or closed else line[-1]
        out.append((*at, *_mitre(before, at, after)))
    return out


def ribbon(points: Sequence[Point], half: float, *, closed: bool = False) -> tuple[list[float], list[int]]:
    """Vertices ``x, y, u, v`` and triangle-strip indices of a line ``2 * half`` wide; ``v`` runs 0..1 across it."""
    out: list[float] = []
    for x, y, nx, ny in spine(points, closed=closed):
        out += (x + nx * half, y + ny * half, 0.5, 0.0, x - nx * half, y - ny * half, 0.5, 1.0)
    return out, list(range(len(out) // 4))


def _mitre(before: Point, at: Point, after: Point) -> Point:
    ax, ay = _normal(before, at)
    bx, by = _normal(at, after)
    if not (ax or ay):
        return bx, by
    if not (bx or by):
        return ax, ay
    mx, my = ax + bx, ay + by
    length = hypot(mx, my)
    if length < 1e-6:
        return ax, ay
    mx, my = mx / length, my / length
    k = min(1 / max(mx * ax + my * ay, 1e-6), SHARP)
    return mx * k, my * k


def _normal(a: Point, b: Point) -> Point:
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = hypot(dx, dy)
    return (-dy / length, dx / length) if length > 1e-9 else (0.0, 0.0)


def dashes(points: Sequence[Point], on: float, off: float, *, closed: bool = False) -> Iterator[Ring]:
    """The line cut into dashes of ``on`` with gaps of ``off``; corners inside a dash are kept."""
    return rhythm([*points, points[0]] if closed and points else points, (on, off))


def rhythm(points: Sequence[Point], lengths: Sequence[float]) -> Iterator[Ring]:
    """The line cut into dashes: drawn for the first length, a gap for the second, and so on, over and over; an even number of them."""
    line = list(points)
    turn, left, piece = 0, lengths[0], [line[0]] if line else []
    for a, b in pairwise(line):
        length = hypot(b[0] - a[0], b[1] - a[1])
        done = 0.0
        while length - done > left:
            done += left
            at = (a[0] + (b[0] - a[0]) * done / length, a[1] + (b[1] - a[1]) * done / length)
            if turn % 2 == 0:
                yield [*piece, at]
            turn = (turn + 1) % len(lengths)
            piece, left = [at], lengths[turn]
        left -= length - done
        if turn % 2 == 0:
            piece.append(b)
    if turn % 2 == 0 and len(piece) > 1:
        yield piece


def beads(points: Sequence[Point], pitch: float) -> Ring:
    """Points along a line, ``pitch`` apart, the first at its start."""
    out, gap = [], 0.0
    for a, b in pairwise(points):
        length = hypot(b[0] - a[0], b[1] - a[1])
        while gap < length:
            out.append((a[0] + (b[0] - a[0]) * gap / length, a[1] + (b[1] - a[1]) * gap / length))
            gap += pitch
        gap -= length
    return out


def rounded(x: float, y: float, w: float, h: float, r: float) -> Ring:
    """The outline of a rectangle with round corners, as a closed ring."""
    r = min(r, w / 2, h / 2)
    steps = max(1, ceil(r / 2))
    out = []
    for cx, cy, start in ((x + w - r, y + h - r, 0.0), (x + r, y + h - r, pi / 2), (x + r, y + r, pi), (x + w - r, y + r, 1.5 * pi)):
        for i in range(steps + 1):
            angle = start + pi / 2 * i / steps
            out.append((cx + r * cos(angle), cy + r * sin(angle)))
    return out


def circle(x: float, y: float, r: float) -> Ring:
    steps = max(12, ceil(r))
    return [(x + r * cos(2 * pi * i / steps), y + r * sin(2 * pi * i / steps)) for i in range(steps)]


def wave(x: float, y: float, step: float, rise: float, crests: int) -> Ring:
    """``crests`` half waves from (x, y): the quadratic curves of a wave sign, flattened."""
    out: Ring = [(x, y)]
    for i in range(crests):
        for k in range(1, 7):
            t = k / 6
            up = -1 if i % 2 == 0 else 1
            out.append((x + step * (i + t), y + up * 2 * t * (1 - t) * rise))
    return out


def inside(ring: Sequence[Point], x: float, y: float) -> bool:
    """Whether the point lies in the ring."""
    hit = False
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            hit = not hit
    return hit


def distance(ring: Sequence[Point], x: float, y: float) -> float:
    """How far the point is from the ring's edge."""
    best = float("inf")
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        dx, dy = bx - ax, by - ay
        t = max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / ((dx * dx + dy * dy) or 1.0)))
        best = min(best, hypot(x - ax - dx * t, y - ay - dy * t))
    return best
