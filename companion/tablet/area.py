"""Areas as triangles: geometry only. Pure, no Kivy.

Kivy's tesselator takes 12 MB for a coast of a hundred points, once, and the process keeps them; it also makes hundreds of little fans.
"""

from __future__ import annotations

from collections.abc import Sequence

Point = tuple[float, float]


def triangles(ring: Sequence[Point]) -> list[int]:
    """Three indices a triangle, which fill the ring: its ears, cut off one after another. It may run either way round but not across itself;
    where it does, its area is filled somehow.
    """
    left = list(range(len(ring)))
    if sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(ring, (*ring[1:], *ring[:1]), strict=True)) < 0:
        left.reverse()
    hollow = {b for a, b, c in _corners(left) if _turn(ring[a], ring[b], ring[c]) <= 0}
    out: list[int] = []
    at = missed = 0
    while len(left) > 3:
        n = len(left)
        at %= n
        a, b, c = left[at - 1], left[at], left[(at + 1) % n]
        if missed < n and (b in hollow or any(_within(ring[i], ring[a], ring[b], ring[c]) for i in hollow if i not in {a, c})):
            at, missed = at + 1, missed + 1
            continue
        out += (a, b, c)
        del left[at]
        hollow.discard(b)
        missed, n = 0, n - 1
        for i in (at - 1, at % n):
            if left[i] in hollow and _turn(ring[left[i - 1]], ring[left[i]], ring[left[(i + 1) % n]]) > 0:
                hollow.discard(left[i])
        at += 1  # not the next ear of the same fan: that would be a sliver
    return out + left if len(left) == 3 else out


def _corners(line: Sequence[int]) -> list[tuple[int, int, int]]:
    return [(line[i - 1], line[i], line[(i + 1) % len(line)]) for i in range(len(line))]


def _turn(a: Point, b: Point, c: Point) -> float:
    """Above 0 where the way from a over b to c turns as the ring does."""
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _within(p: Point, a: Point, b: Point, c: Point) -> bool:
    """Whether the point lies in the triangle or on its edge, and is no corner of it."""
    return p not in (a, b, c) and _turn(a, b, p) >= 0 and _turn(b, c, p) >= 0 and _turn(c, a, p) >= 0
