"""The drawings: ``marks/<group>/<name>.svg``, 48 x 48, cut like a stencil. SVG text in, SVG text out; no pixels here.

A one-colour mark is drawn in ink and takes another colour by replacing it; a clan mark has its own dyes.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from companion.look.theme import INK

ROOT = Path(__file__).with_name("marks")
BOX = 48
_NAME = re.compile(r"[a-z0-9_]+/[a-z0-9_]+")


@cache
def has(name: str) -> bool:
    return bool(_NAME.fullmatch(name)) and (ROOT / f"{name}.svg").is_file()


@cache
def names() -> tuple[str, ...]:
    """Every mark, sorted."""
    return tuple(sorted(path.relative_to(ROOT).with_suffix("").as_posix() for path in ROOT.glob("*/*.svg")))


@cache
def body(name: str) -> str:
    """What stands inside the ``<svg>`` of a mark, without its title. Raises KeyError for an unknown mark."""
    if not has(name):
        raise KeyError(f"no mark called {name!r} in {ROOT.name}")
    svg = (ROOT / f"{name}.svg").read_text(encoding="utf-8").strip()
    return re.sub(r"^<svg[^>]*>(<title>.*?</title>)?|</svg>$", "", svg)


def coloured(name: str, colour: str = INK) -> str:
    """A mark's body with its ink replaced; a clan mark keeps its dyes."""
    inner = body(name)
    return inner if name.startswith("clan/") else inner.replace(INK, colour)


def silhouette(name: str, fill: str, stroke: str, width: float) -> str:
    """The outer shape of a clan mark alone, stroked: the rim of a counter, or a chip under it. ``fill`` is the clan's base dye."""
    shapes = [shape for shape in re.findall(r"<[a-z]+ [^>]*/>", body(name)) if f'fill="{fill}"' in shape]
    rim = f'fill="{fill}" stroke="{stroke}" stroke-width="{width}" stroke-linejoin="round"'
    return "".join(shape.replace(f'fill="{fill}"', rim) for shape in shapes)


def sheet(content: str, box: tuple[float, float, float, float] = (0, 0, BOX, BOX)) -> str:
    """A whole SVG of that content, showing ``box`` (x, y, width, height)."""
    view = " ".join(f"{side:g}" for side in box)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}">{content}</svg>'
