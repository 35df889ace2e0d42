"""What a screen is told: a small tree of nodes that every game fills and both screens draw.

Here: node types and ``Light``; ``View`` itself stands in ``game`` beside ``Prompt``. Not here: words (``companion.words`` renders ``Text``), pixels, or anything
only one game has. Ids are stable across revisions: tests, the DOM and widgets rely on them. A view is always whole,
never a delta, and is built up from nothing: what is not put in cannot leak.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Union

from msgspec import Struct


class Text(Struct, frozen=True, gc=False, omit_defaults=True):
    """One whole sentence or name: a catalogue key and what fills its placeholders.

    ``args`` values: a number (an argument called ``n`` chooses the plural form), another Text (a name in the
    reader's language), or a plain string said as it is (a player's name).
    """

    key: str
    args: Mapping[str, Union[int, str, Text]] = {}


class Stack(Struct, frozen=True, gc=False, omit_defaults=True):
    """Pieces of one kind lying together."""

    kind: str
    """Opaque kind id, e.g. ``koi/bushi`` or ``oni_of_skulls``; the same id as in gestures."""
    count: int
    text: Text
    mark: str = ""
    """A drawing in ``companion/look/marks`` without ``.svg``: the foot of the counter, e.g. ``figure/bushi``."""
    seat: str = ""
    """Whose it is (its clan mark is ``clan/<seat>``); empty: nobody's."""


class Counter(Struct, frozen=True, gc=False, tag="counter", tag_field="node", omit_defaults=True):
    """A named number; ``value`` None is unknown to this reader."""

    id: str
    text: Text
    value: int | None
    mark: str = ""


class Pieces(Struct, frozen=True, gc=False, tag="pieces", tag_field="node", omit_defaults=True):
    """Pieces that lie in no zone: a reserve, a display, hostages."""

    id: str
    text: Text
    stacks: tuple[Stack, ...] = ()


class Card(Struct, frozen=True, gc=False, tag="card", tag_field="node", omit_defaults=True):
    """A card or tile. ``face`` False: its back; then text says only what a back says."""

    id: str
    text: Text
    detail: Text | None = None
    mark: str = ""
    face: bool = True
    seat: str = ""
    clause: str = ""


class Zone(Struct, frozen=True, gc=False, tag="zone", tag_field="node", omit_defaults=True):
    """A place of the board drawing (``id`` as in ``data/board.toml``) and what lies in it."""

    id: str
    text: Text
    stacks: tuple[Stack, ...] = ()
    badge: str = ""
    """A short sign on the zone, e.g. its war number; digits or one letter, no words."""
    mark: str = ""
    """A drawing that belongs to the zone now (a shrine's kami)."""


class Step(Struct, frozen=True, gc=False, omit_defaults=True):
    """One lamp of the track with the cloth that hangs under it."""

    light: str
    """Name of its Light, e.g. ``mandate.1``."""
    text: Text
    mark: str = ""
    seat: str = ""
    """Who played it; before that, who must act in it now."""
    state: str = "todo"
    """todo | now | done"""


class Track(Struct, frozen=True, gc=False, tag="track", tag_field="node", omit_defaults=True):
    """The steps of a phase, in order."""

    id: str
    text: Text
    steps: tuple[Step, ...] = ()


class Table(Struct, frozen=True, gc=False, tag="table", tag_field="node", omit_defaults=True):
    """Rows under heads; a cell is a Text or a number."""

    id: str
    text: Text
    heads: tuple[Text, ...] = ()
    rows: tuple[tuple[Union[Text, int], ...], ...] = ()


class Plot(Struct, frozen=True, gc=False, tag="plot", tag_field="node", omit_defaults=True):
    """One line a series, points at equal steps."""

    id: str
    text: Text
    series: Mapping[str, tuple[int, ...]] = {}


class Line(Struct, frozen=True, gc=False, tag="line", tag_field="node", omit_defaults=True):
    """One sentence and the clause it rests on ("" for none)."""

    text: Text
    clause: str = ""
    id: str = ""
    private: bool = False
    """Not everybody may read it: a phone shows it behind the curtain, where no neighbour looks over a shoulder."""


class Curtain(Struct, frozen=True, gc=False, tag="curtain", tag_field="node", omit_defaults=True):
    """Children are private: a screen shows them only while held open."""

    id: str
    text: Text
    nodes: tuple[Node, ...] = ()


class Section(Struct, frozen=True, gc=False, tag="section", tag_field="node", omit_defaults=True):
    """A titled group. Screens know these ids and place them: ``track``, ``board`` (zones), ``seats`` (one section a seat,
    its id the seat, in the game's order of honour), ``private``, ``more``; any other id is drawn as a plain group.
    """

    id: str
    text: Text
    nodes: tuple[Node, ...] = ()
    mark: str = ""
    seat: str = ""
    lit: bool = False
    """This one must act now."""
    who: Union[str, Text] = ""
    """Of a seat's own section: the player's name as it was typed, where one was; a bot's in words. The table puts it there; rules know no people."""


Node = Union[Counter, Pieces, Card, Zone, Track, Table, Plot, Line, Curtain, Section]


class Wait(Struct, frozen=True, gc=False, omit_defaults=True):
    """For whom the table waits, and for what."""

    seat: str
    text: Text
    clause: str = ""
    """The rule of that step, for who would like to read it meanwhile."""


class Light(Struct, frozen=True, gc=False, omit_defaults=True):
    """One named lamp, from public knowledge only."""

    name: str
    """``mandate.1``..``mandate.7``, ``kami.1``..``kami.3``, ``war``, ``chooser``, ``ally``, ``vp.<seat>`` (a bar)."""
    role: str
    """Whose colour it takes: a seat id, or ``todo``, ``kami``, ``war``."""
    effect: str = "steady"
    """steady | now (the seat's own rhythm) | attention"""
    value: int = 1
    max: int = 1
