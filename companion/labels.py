"""The label sheet: one HTML page to print, a round label for every tagged piece, large enough to cut out and small enough for a tag.

Here: the page. Not here: who has which tag (``table.figures``), the counter's drawing (``look.counters``).
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from html import escape
from pathlib import Path

from companion.look import counters
from companion.look import marks as look
from companion.look.theme import Theme
from companion.rules.view import Text
from companion.table.box import Item, fitting
from companion.table.figures import Figures
from companion.words import render

SIZE = 25
"""Millimetres across: the usual NTAG sticker."""

_STYLE = """
@page { margin: 10mm }
body { font: 11px/1.3 "Noto Sans", sans-serif; color: #1C1815; margin: 0 }
h1 { font-size: 16px; margin: 0 0 1mm } h2 { font-size: 12px; margin: 4mm 0 1mm } p { margin: 0 0 2mm; max-width: 170mm }
ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 3mm 2mm }
li { width: 31mm; text-align: center; break-inside: avoid }
.tag { width: %(size)dmm; height: %(size)dmm; border: .3mm dashed #857A69; border-radius: 50%%; margin: 0 auto 1mm; position: relative }
.tag svg { position: absolute; left: 1.5mm; top: -0.5mm; width: %(mark).1fmm; height: %(mark).1fmm }
.tag b { position: absolute; left: 0; right: 0; bottom: 1.2mm; font-size: 9px } .tag i { font-style: normal; font-weight: 400; color: #55493B }
"""


def sheet(items: Sequence[Item], figures: Figures, lang: str, game: str) -> str:
    """The page: labels of what has a tag, in the order of the box."""
    theme = Theme("day", game)
    tagged = fitting(items, figures)
    title = render(Text("enrol.labels_title"), lang)
    out = [f'<!doctype html><html lang="{escape(lang)}"><meta charset="utf-8"><title>{escape(title)}</title>']
    out.append(f"<style>{_STYLE % {'size': SIZE, 'mark': SIZE * 0.88}}</style>")
    out.append(f"<h1>{escape(title)}</h1><p>{escape(render(Text('enrol.labels_help', {'mm': SIZE}), lang))}</p>")
    group: Text | None = None
    begun = False
    for i, item in enumerate(items):
        if i not in tagged:
            continue
        if item.group != group or not begun:
            group = item.group
            heading = escape(render(group, lang)) if group is not None else ""
            out.append(f"{'</ul>' if begun else ''}<h2>{heading}</h2><ul>")
            begun = True
        out.append(_label(theme, item, tagged[i].uid, tagged[i].name or item.name, lang))
    out.append("</ul></html>\n" if begun else "</html>\n")
    return "\n".join(out)


def save(path: Path, page: str) -> None:
    """Whole or not at all. Raises OSError."""
    handle, spare = tempfile.mkstemp(prefix=path.name, dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(page)
        Path(spare).replace(path)
    except OSError:
        Path(spare).unlink(missing_ok=True)
        raise


def _label(theme: Theme, item: Item, uid: str, name: str, lang: str) -> str:
    drawn = counters.source(theme, item.seat, item.mark, 1) if item.kind else _place(item)
    number = f"{escape(name)} " if name else ""
    said = escape(render(item.text, lang))
    return f'<li><div class="tag">{drawn}<b>{number}<i>{uid[-4:]}</i></b></div>{said}</li>'


def _place(item: Item) -> str:
    mark = item.mark if look.has(item.mark) else "ui/tag"
    return look.sheet(look.coloured(mark), (-12, -12, 72, 72))
