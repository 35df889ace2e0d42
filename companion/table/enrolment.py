"""Enrolment: the box gone through piece by piece, a tag for each. A pure machine: taps and buttons in, a new machine out.

Here: which piece is next, what a tag means then, what is asked. Not here: readers (``companion.enrol``), files (``figures``), screens.
All that is done is in ``figures``: beginning again with the same figures goes on at the same piece. A UID is never there twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.view import Text
from companion.table.box import Item, fitting
from companion.table.figures import Figures, Tag, plain_uid, uid_fault

RANDOM, CUT = "08", "88"
"""First bytes of a 4-byte number that is random (a phone, a bank card), or the first half of a longer one."""

Tone = Literal["ok", "careful", "refused", "waiting"]


class Question(Struct, frozen=True):
    """A tag that cannot simply be taken: ``yes`` takes it all the same, ``no`` leaves everything as it was."""

    uid: str
    text: Text
    yes: Text
    no: Text


class Enrolment(Struct, frozen=True):
    """``begin`` one. Every method gives the next one and changes nothing."""

    items: tuple[Item, ...]
    figures: Figures
    at: int
    """The piece whose tag is wanted; ``len(items)``: none is."""
    passed: frozenset[int] = frozenset()
    """Pieces left out for now."""
    question: Question | None = None
    said: Text | None = None
    tone: Tone = "waiting"
    last: str = ""
    """The UID that was taken last: it may still lie there."""

    @classmethod
    def begin(cls, items: Sequence[Item], figures: Figures) -> Enrolment:
        """Goes on where ``figures`` ends."""
        machine = cls(tuple(items), figures, 0)
        return machine.onward(0)

    # What is so

    @property
    def item(self) -> Item | None:
        """Whose tag is wanted now; None: all pieces have one or were left out."""
        return self.items[self.at] if self.at < len(self.items) else None

    @property
    def tags(self) -> Mapping[int, Tag]:
        """Which tag each piece has, by its index in ``items``."""
        return fitting(self.items, self.figures)

    @property
    def done(self) -> int:
        return len(self.tags)

    @property
    def total(self) -> int:
        return len(self.items)

    def missing(self) -> tuple[Item, ...]:
        """Pieces and places without a tag."""
        tags = self.tags
        return tuple(item for i, item in enumerate(self.items) if i not in tags)

    # What hands do

    def tap(self, uid: str) -> Enrolment:
        """A tag was laid on the reader."""
        uid = plain_uid(uid)
        fault = _unfit(uid)
        if fault is not None:
            return self._say("refused", fault)
        known, item = self.figures.tag(uid), self.item
        if known is not None:
            return self._known(uid, known, item)
        if item is None:
            return self._say("careful", Text("enrol.nobody", {"uid": uid}))
        had = self.tags.get(self.at)
        if had is not None:
            text = Text("enrol.has_another", {"what": item.text, "uid": had.uid})
            return self._ask(uid, text, Text("enrol.use_this"), Text("enrol.keep_old"))
        return self._take(uid, item)

    def answer(self, *, yes: bool) -> Enrolment:
        """The question's button. Without a question nothing happens."""
        if self.question is None:
            return self
        item = self.item
        if not yes or item is None:
            return replace(self._quiet(), said=Text("enrol.left"), tone="ok")
        return self._take(self.question.uid, item)

    def skip(self) -> Enrolment:
        """Not now: the next piece without a tag."""
        if self.item is None:
            return self._quiet()
        passed = self.passed | {self.at} if self.at not in self.tags else self.passed
        moved = replace(self._quiet(), passed=passed)
        return moved.onward(self.at + 1)

    def back(self) -> Enrolment:
        """The piece before, tag or not."""
        return self.go(max(0, self.at - 1))

    def go(self, index: int) -> Enrolment:
        """That very piece."""
        if not 0 <= index < len(self.items):
            return self
        return replace(self._quiet(), at=index, passed=self.passed - {index})

    def again(self) -> Enrolment:
        """What was left out is wanted after all."""
        moved = replace(self._quiet(), passed=frozenset())
        return moved.onward(0)

    def forget(self) -> Enrolment:
        """The piece at hand has no tag any more."""
        had = self.tags.get(self.at)
        if had is None:
            return self._quiet()
        return replace(self._quiet(), figures=self.figures.without(had.uid))

    def onward(self, start: int) -> Enrolment:
        """At the next piece that wants a tag, from ``start`` on, else from the first; where none does, at the end."""
        tags = self.tags
        order = [*range(start, len(self.items)), *range(min(start, len(self.items)))]
        return replace(self, at=next((i for i in order if i not in tags and i not in self.passed), len(self.items)))

    # Inside

    def _quiet(self) -> Enrolment:
        return replace(self, question=None, said=None, tone="waiting", last="")

    def _say(self, tone: Tone, text: Text) -> Enrolment:
        return replace(self, said=text, tone=tone, question=None)

    def _ask(self, uid: str, text: Text, yes: Text, no: Text) -> Enrolment:
        return replace(self, question=Question(uid, text, yes, no), said=text, tone="careful")

    def _known(self, uid: str, known: Tag, item: Item | None) -> Enrolment:
        """A tag that is on something already."""
        name = self._name(known)
        mine = self.tags.get(self.at)
        if item is None:
            return self._say("ok", Text("enrol.is", {"what": name}))
        if mine is not None and mine.uid == uid:
            moved = replace(self._say("ok", Text("enrol.is", {"what": name})), last=uid)
            return moved.onward(self.at + 1)
        if uid == self.last:
            return self._say("waiting", Text("enrol.lift", {"what": name, "next": item.text}))
        text = Text("enrol.duplicate", {"what": name, "next": item.text})
        return self._ask(uid, text, Text("enrol.replace", {"next": item.text}), Text("enrol.keep", {"what": name}))

    def _take(self, uid: str, item: Item) -> Enrolment:
        """The tag is on this piece from now on, and on no other."""
        had = self.tags.get(self.at)
        figures = self.figures.without(uid)
        name = item.name
        if had is not None:
            figures, name = figures.without(had.uid), had.name if had.kind else ""
        figures = figures.with_tag(Tag(uid, place=item.place) if item.place else Tag(uid, item.kind, name))
        text = Text("enrol.four_bytes" if len(uid) == 8 else "enrol.taken", {"what": item.text, "uid": uid})
        moved = replace(self._say("careful" if len(uid) == 8 else "ok", text), figures=figures, last=uid, passed=self.passed - {self.at})
        return moved.onward(self.at + 1)

    def _name(self, tag: Tag) -> Text:
        """The piece a tag is on, as people say it."""
        index = next((i for i, other in self.tags.items() if other.uid == tag.uid), None)
        if index is not None:
            return self.items[index].text
        return Text("table.raw", {"id": f"place {tag.place}" if tag.place else f"{tag.kind} {tag.name}".rstrip()})


def _unfit(uid: str) -> Text | None:
    """Why this number cannot mark anything."""
    if len(uid) == 8 and uid.startswith(RANDOM):
        return Text("enrol.random", {"uid": uid})
    if len(uid) == 8 and uid.startswith(CUT):
        return Text("enrol.cut", {"uid": uid})
    return Text("enrol.no_uid", {"uid": uid[:24]}) if uid_fault(uid) else None


class Roll(Struct, frozen=True):
    """The roll-call before a game: every tagged piece is tapped once, and what was not seen is named."""

    items: tuple[Item, ...]
    figures: Figures
    seen: frozenset[int] = frozenset()
    said: Text | None = None
    tone: Tone = "waiting"

    def tap(self, uid: str) -> Roll:
        """A tag was laid on the reader."""
        uid = plain_uid(uid)
        index = next((i for i, tag in fitting(self.items, self.figures).items() if tag.uid == uid), None)
        if index is None:
            tag = self.figures.tag(uid)
            text = Text("enrol.other_game") if tag is not None else Text("enrol.unknown", {"uid": uid})
            return replace(self, said=text, tone="careful")
        key = "enrol.seen_again" if index in self.seen else "enrol.seen"
        return replace(self, seen=self.seen | {index}, said=Text(key, {"what": self.items[index].text}), tone="ok")

    def missing(self) -> tuple[Item, ...]:
        """Tagged pieces nobody has tapped."""
        tagged = fitting(self.items, self.figures)
        return tuple(item for i, item in enumerate(self.items) if i in tagged and i not in self.seen and not item.place)

    def untagged(self) -> tuple[Item, ...]:
        """Pieces that cannot be tapped, for they have no tag."""
        tagged = fitting(self.items, self.figures)
        return tuple(item for i, item in enumerate(self.items) if i not in tagged and not item.place)


def names(items: Iterable[Item], most: int = 12) -> tuple[tuple[Text, ...], int]:
    """The first few, and how many more there are."""
    every = tuple(item.text for item in items)
    return every[:most], max(0, len(every) - most)
