"""The register of figures: which tag is which piece, or which place.

Here: the UID file (``04A1B2C3D4E5F6 koi/bushi 1`` or ``0411223344AABB place edo``, ``#`` comments), read, looked up and written back.
Not here: readers, or where a figure stands. The UID is the key; nothing is ever written to a tag.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Collection, Iterable
from pathlib import Path

from msgspec import Struct

from companion.rules.game import Kind, Place

MAX_BYTES = 1_000_000
LISTED = 12
"""Names listed where none is near."""


class Tag(Struct, frozen=True):
    """One tag: on a figure (``kind`` and ``name``) or at a place (``place``)."""

    uid: str
    """Upper-case hex without separators."""
    kind: Kind = ""
    name: str = ""
    """The individual: a number or a word; "" where there is one only."""
    place: Place = ""
    note: str = ""
    """The comment behind it in the file."""

    def line(self) -> str:
        what = f"place {self.place}" if self.place else f"{self.kind} {self.name}".rstrip()
        return f"{self.uid} {what}" + (f"  # {self.note}" if self.note else "")


class FigureFault(Struct, frozen=True):
    line: int
    """1-based; 0: the file as a whole."""
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}" if self.line else self.text


class FiguresError(ValueError):
    """Every fault of a UID file; nothing was taken from it."""

    def __init__(self, file: str, faults: Iterable[FigureFault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(f"{file}, {fault}" if fault.line else f"{file}: {fault}" for fault in self.faults))


class Figures:
    """Tags by UID. Does not change: ``with_tag`` and ``without`` give a new register."""

    def __init__(self, lines: Iterable[Tag | str] = (), warnings: Iterable[FigureFault] = ()) -> None:
        self._lines = tuple(lines)
        self.warnings = tuple(warnings)
        """What is odd but usable: 4-byte UIDs."""
        self._tags = {tag.uid: tag for tag in self._lines if isinstance(tag, Tag)}

    def __len__(self) -> int:
        return len(self._tags)

    def tag(self, uid: str) -> Tag | None:
        return self._tags.get(plain_uid(uid))

    def tags(self) -> tuple[Tag, ...]:
        """In the order of the file."""
        return tuple(self._tags.values())

    def with_tag(self, tag: Tag) -> Figures:
        """With this tag added, or changed where its UID is known. Raises FiguresError where the file could not be read back with it."""
        if tag.uid in self._tags:
            lines = [tag if isinstance(line, Tag) and line.uid == tag.uid else line for line in self._lines]
        else:
            lines = [*self._lines, tag]
        return parse("".join(f"{_said(line)}\n" for line in lines), "register")

    def without(self, uid: str) -> Figures:
        return Figures((line for line in self._lines if not (isinstance(line, Tag) and line.uid == plain_uid(uid))), self.warnings)

    def text(self) -> str:
        """The file again: comments and order as they were read."""
        return "".join(f"{_said(line)}\n" for line in self._lines)

    def save(self, path: Path) -> None:
        """Whole or not at all: written beside it, then put in its place. Raises OSError."""
        handle, spare = tempfile.mkstemp(prefix=path.name, dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(self.text())
                file.flush()
                os.fsync(file.fileno())
            Path(spare).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(spare).unlink()
            raise


def _said(line: Tag | str) -> str:
    return line.line() if isinstance(line, Tag) else line


def plain_uid(uid: str) -> str:
    return uid.replace(":", "").replace("-", "").upper()


def uid_fault(uid: str) -> str:
    """Why this cannot be a figure's UID; "" where it can. ``uid`` is upper-case hex."""
    if not re.fullmatch(r"[0-9A-F]+", uid) or len(uid) not in (8, 14, 20):
        return f"{uid[:40]!r} is no UID: write its 14 hex digits as a reader shows them (8 and 20 are known too)"
    if len(uid) == 8 and uid.startswith("08"):
        return f"{uid} is random, a phone or bank card makes a new one each time: stick an NTAG tag on the figure"
    return ""


def load(path: Path, kinds: Collection[Kind] = (), places: Collection[Place] = ()) -> Figures:
    """Reads a UID file. Raises FiguresError."""
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as fault:
        raise FiguresError(path.name, [FigureFault(0, f"it cannot be read ({fault.strerror or fault}): check the path")]) from fault
    if len(data) > MAX_BYTES:
        raise FiguresError(path.name, [FigureFault(0, f"it is longer than {MAX_BYTES} bytes: name the right file")])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise FiguresError(path.name, [FigureFault(line, "it is not UTF-8: save the file as UTF-8")]) from fault
    return parse(text, path.name, kinds, places)


def parse(text: str, file: str = "figures", kinds: Collection[Kind] = (), places: Collection[Place] = ()) -> Figures:
    """``kinds`` and ``places``: those of the game, where known; anything else is then a fault. Raises FiguresError with all faults."""
    lines: list[Tag | str] = []
    faults: list[FigureFault] = []
    warnings: list[FigureFault] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        body, note = _parted(line)
        if not body:
            lines.append(line.rstrip())
            continue
        tag = _tag(body, note)
        fault = tag if isinstance(tag, str) else _unknown(tag, kinds, places)
        if fault or isinstance(tag, str):
            faults.append(FigureFault(number, fault))
            continue
        for what, key in ((f"the UID {tag.uid}", tag.uid), (f"the figure {tag.kind} {tag.name}".rstrip(), f"{tag.kind} {tag.name}")):
            if key in seen and not (tag.place and key != tag.uid):
                faults.append(FigureFault(number, f"{what} stands in line {seen[key]} too: keep one of the two"))
            seen.setdefault(key, number)
        if len(tag.uid) == 8:
            warnings.append(
                FigureFault(number, f"{tag.uid} has only 4 bytes, and such UIDs are not unique: better use NTAG tags (7 bytes)")
            )
        lines.append(tag)
    if faults:
        raise FiguresError(file, faults)
    while lines and lines[-1] == "":
        lines.pop()
    return Figures(lines, warnings)


def _parted(line: str) -> tuple[str, str]:
    """What stands before and behind the comment sign."""
    found = re.search(r"(^|\s)#", line)
    return (line.strip(), "") if found is None else (line[: found.start()].strip(), line[found.end() :].strip())


def _tag(body: str, note: str) -> Tag | str:
    """The tag of one line, or what is wrong with it."""
    words = body.split()
    uid = plain_uid(words[0])
    fault = uid_fault(uid)
    if fault:
        return fault
    if len(words) < 2:
        return f"{uid} names nothing: write the figure behind it, like {uid} koi/bushi 1, or its place, like {uid} place edo"
    if words[1] == "place":
        return Tag(uid, place=words[2], note=note) if len(words) == 3 else f"{uid} is at a place: write one word for it, like place edo"
    return Tag(uid, words[1], " ".join(words[2:]), note=note)


def _unknown(tag: Tag, kinds: Collection[Kind], places: Collection[Place]) -> str:
    word, known, what = (tag.place, places, "place") if tag.place else (tag.kind, kinds, "figure")
    return unknown(what, word, known)


def unknown(what: str, word: str, known: Collection[str]) -> str:
    """That there is no such thing, and the nearest there is; "" where there is one, or nothing is known."""
    if not known or word in known:
        return ""
    import difflib  # noqa: PLC0415 - only for who has made a mistake

    near = difflib.get_close_matches(word, known, 1)
    more = ", ..." if len(known) > LISTED else ""
    return f"there is no {what} {word!r}: " + (
        f"did you mean {near[0]}?" if near else f"write one of {', '.join(sorted(known)[:LISTED])}{more}"
    )
