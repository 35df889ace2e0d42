"""Facts of a game: its data files, with the owner's override laid over them.

Here: reading ``rules/<game>/data/*.toml``, the override, and the hash that journal and record carry. Not here: what the facts mean
(``rules.<game>.facts.parse``). An override is one TOML file whose top tables are named after the data files::

    [mandates.betray]
    copies = 0

    [clans.koi]
    income = 6

Tables are laid over tables; in a list of tables an entry is found by its ``id``; anything else is replaced whole. What is not
in the data files is refused: an override changes facts, it does not add any. Only a key that sister entries have may be new.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.compiled import compiled

MAX_BYTES = 1_000_000
"""An override longer than this is some other file."""


class Fault(Struct, frozen=True):
    """One thing wrong in a data or override file."""

    file: str
    key: str
    found: str
    fix: str

    def __str__(self) -> str:
        where = f"{self.file}, {self.key}" if self.key else self.file
        return f"{where}: {self.found}; {self.fix}"


class FactsError(ValueError):
    """Every fault of the files at once; nothing was taken from them."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


class Facts(Struct, frozen=True):
    """Merged facts as plain tables, one a data file, and their hash."""

    tables: Mapping[str, Any]
    digest: str


def load(game: str, override: Path | None = None) -> Facts:
    """The facts of ``rules/<game>/data``, with ``override`` laid over them. Raises FactsError."""
    home = files("companion.rules") / game / "data"
    ours = [f for f in home.iterdir() if f.name.endswith(".toml")] if home.is_dir() else []
    base = {source.name.removesuffix(".toml"): _read(source, source.name, _kept(source)) for source in ours}
    if not base:
        raise FactsError([Fault(f"rules/{game}/data", "", "there are no data files", "name a game that is installed")])
    if override is not None:
        base = merged(base, _read(override, override.name), override.name)
    return facts(base)


def facts(tables: Mapping[str, Any]) -> Facts:
    """Tables with their hash."""
    return Facts(tables, digest(tables))


def digest(tables: Mapping[str, Any]) -> str:
    """BLAKE2b of the canonical JSON: the same facts have the same hash, whatever their order in the files."""
    canonical = json.dumps(tables, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.blake2b(canonical.encode(), digest_size=16).hexdigest()


def _kept(source: Traversable) -> Callable[[bytes], dict[str, Any]]:
    """As ``_parsed``, for a file that comes with the program."""
    return lambda text: compiled(source, text, "toml", lambda: _parsed(text))


def _parsed(text: bytes) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - seldom: ours are kept parsed

    return tomllib.loads(text.decode("utf-8-sig"))


def _read(source: Traversable | Path, name: str, parse: Callable[[bytes], dict[str, Any]] = _parsed) -> dict[str, Any]:
    def fault(found: str, fix: str) -> FactsError:
        return FactsError([Fault(name, "", found, fix)])

    try:
        with source.open("rb") as stream:
            data: bytes = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise fault(f"it cannot be read ({error.strerror or error})", "check the path and its permissions") from error
    if len(data) > MAX_BYTES:
        raise fault(f"it is longer than {MAX_BYTES} bytes", "name the right file")
    try:
        return parse(data)
    except UnicodeDecodeError as error:
        raise fault(f"byte {error.start} is not UTF-8", "save the file as UTF-8") from error
    except RecursionError as error:
        raise fault("it is nested too deep", "write plain tables and lists") from error
    except ValueError as error:  # TOMLDecodeError, and int() on a number of a thousand digits
        raise fault(f"it is not TOML ({error})", "mend that line") from error


def merged(base: Mapping[str, Any], over: Mapping[str, Any], file: str) -> dict[str, Any]:
    """``base`` with ``over`` laid over it; ``base`` stays as it was. Raises FactsError naming every fault."""
    faults: list[Fault] = []

    def tell(key: str, found: str, fix: str) -> None:
        faults.append(Fault(file, key, found, fix))

    out = dict(base)
    for name, table in over.items():
        if name not in base:
            tell(name, "there is no data file of this name", _one_of(name, base))
        elif not isinstance(table, dict):
            tell(name, f"it is {_kind(table)}", f"write a table: [{name}]")
        else:
            out[name] = _lay(base[name], table, name, base[name].keys(), tell)
    if faults:
        raise FactsError(faults)
    return out


_Tell = Callable[[str, str, str], None]


def _lay(base: Mapping[str, Any], over: Mapping[str, Any], path: str, known: Iterable[str], tell: _Tell) -> dict[str, Any]:
    out = dict(base)
    names = list(known)
    for key, value in over.items():
        where = f"{path}.{key}"
        if key not in names:
            tell(where, "there is no such key", _one_of(key, names))
        elif key not in base:  # its sisters in the list have it
            if _sound(value, where, tell):
                out[key] = value
        else:
            out[key] = _value(base[key], value, where, tell, _family(base, base[key]))
    return out


def _family(base: Mapping[str, Any], one: Any) -> Iterable[str]:
    """Keys that one table may have: its own, and those of its sisters where all of ``base`` are entries of one shape."""
    if not isinstance(one, dict):
        return ()
    tables = [table for table in base.values() if isinstance(table, dict)]
    shape = set.intersection(*({key for key in table if not key.endswith(("source", "confidence"))} for table in tables))
    if not shape or len(tables) < len(base):
        return one.keys()
    return dict.fromkeys(key for table in (one, *tables) for key in table)


def _value(old: Any, new: Any, where: str, tell: _Tell, sisters: Iterable[str]) -> Any:
    if isinstance(old, dict) and isinstance(new, dict):
        return _lay(old, new, where, sisters, tell)
    if _kind(old) != _kind(new) and not (isinstance(old, float) and _kind(new) == "a whole number"):
        tell(where, f"it is {_kind(new)}", f"write {_kind(old)}, like {_short(old)}")
        return old
    if isinstance(old, list) and old:
        return _list(old, new, where, tell)
    return new if _sound(new, where, tell) else old


def _list(old: list[Any], new: list[Any], where: str, tell: _Tell) -> list[Any]:
    if all(isinstance(item, dict) and "id" in item for item in old):
        return _by_id(old, new, where, tell)
    kinds = {_kind(item) for item in old}
    for i, item in enumerate(new):
        if _kind(item) not in kinds:
            tell(f"{where}[{i}]", f"it is {_kind(item)}", f"write {' or '.join(sorted(kinds))}")
            return old
    return new if _sound(new, where, tell) else old


def _by_id(old: list[Any], new: list[Any], where: str, tell: _Tell) -> list[Any]:
    at = {entry["id"]: i for i, entry in enumerate(old)}
    keys = {key for entry in old for key in entry}
    out, seen = list(old), set()
    for i, entry in enumerate(new):
        if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
            tell(f"{where}[{i}]", "it has no id", "say which entry it changes: id = " + _short(old[0]["id"]))
        elif entry["id"] not in at:
            tell(f"{where}[{i}].id", f"there is no {_short(entry['id'])}", _one_of(entry["id"], at))
        elif entry["id"] in seen:
            tell(f"{where}[{i}].id", f"{_short(entry['id'])} stands here twice", "write one entry")
        else:
            seen.add(entry["id"])
            place = at[entry["id"]]
            out[place] = _lay(out[place], entry, f"{where}[{entry['id']}]", keys, tell)
    return out


def _sound(value: Any, where: str, tell: _Tell) -> bool:
    """Whether journal, hash and rules can hold it: tables, lists, text, truth, 64-bit whole numbers, finite numbers."""
    if isinstance(value, dict):
        return all(_sound(inner, f"{where}.{key}", tell) for key, inner in value.items())
    if isinstance(value, list):
        return all(_sound(inner, f"{where}[{i}]", tell) for i, inner in enumerate(value))
    if isinstance(value, (str, bool)):
        return True
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return True
    if isinstance(value, float) and math.isfinite(value):
        return True
    tell(where, f"it is {_short(value)}", "write a usual number, text, true or false, a list or a table")
    return False


_NAMES = {dict: "a table", list: "a list", str: "text", bool: "true or false", int: "a whole number", float: "a number"}


def _kind(value: Any) -> str:
    return _NAMES.get(type(value), "a date or time")


def _short(value: Any) -> str:
    said = json.dumps(value, ensure_ascii=False, default=str)
    return said if len(said) <= 60 else said[:57] + "..."


def _one_of(word: str, known: Iterable[str]) -> str:
    import difflib  # noqa: PLC0415 - only for who has made a mistake

    names = list(known)
    near = difflib.get_close_matches(word, names, 1)
    return f"did you mean {near[0]}?" if near else "write one of " + ", ".join(sorted(names)[:12])
