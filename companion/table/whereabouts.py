"""Where every tagged figure is, one by one, as far as the twin can tell. Here: names for a count. Not here: the counting (``twin``)."""

from __future__ import annotations

from companion.rules.game import Kind, Place
from companion.table.moves import BOX
from companion.table.twin import Twin


def whereabouts(twin: Twin) -> dict[str, Place]:
    """UID -> place. Figures that were told of are where they were told to be; the others share the places that are left, in the file's order."""
    tags = [tag for tag in twin.figures.tags() if tag.kind]
    found = {tag.uid: place for tag in tags if (place := twin.where(tag.uid)) is not None and place != BOX}
    left: dict[Kind, list[Place]] = {}
    for tag in tags:
        if tag.uid in found:
            continue
        if tag.kind not in left:
            left[tag.kind] = [place for place, n in sorted(twin.anon.get(tag.kind, {}).items()) for _ in range(n)]
        if left[tag.kind]:
            found[tag.uid] = left[tag.kind].pop(0)
    return found
