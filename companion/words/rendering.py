"""Rendering: from ``Text`` to finished words, alone or inside a whole view.

Here: ``render`` and ``rendered``. Not here: reading catalogues. This runs for every reader on every revision, so each Struct type is
looked at once and each object is rendered once a language: a caller that keeps one ``Memo`` pays only for what has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from companion.rules.view import Text
from companion.words.catalogue import Book, book

MOST = 1500
"""Objects of one language, of which as many again may be kept that were rendered before."""


class Known(dict[int, "tuple[object, Any] | None"]):
    """id -> (the object, kept alive so that its id stays its own; its tree). What is not asked for any more is forgotten in time."""

    def __init__(self) -> None:
        super().__init__()
        self._before: dict[int, tuple[object, Any] | None] = {}

    def tidy(self) -> None:
        """Between two renderings."""
        if len(self) > MOST:
            self._before = dict(self)
            self.clear()

    def __missing__(self, key: int) -> tuple[object, Any] | None:
        found = self._before.get(key)
        if found is not None:
            self[key] = found
        return found


Memo = dict[str, Known]
"""By language. Good over revisions: views are made of objects that never change."""

_PLAIN = frozenset({str, int, bool, float, type(None)})


class _Field(NamedTuple):
    name: str
    said: str
    default: Any
    factory: Callable[[], Any] | None


class _Plan(NamedTuple):
    tag: tuple[str, Any] | None
    omits: bool
    fields: tuple[_Field, ...]


_PLANS: dict[type, _Plan | None] = {}
"""Each type is looked at once."""


def render(text: Text, lang: str) -> str:
    """The finished words of ``text`` in ``lang``; never raises."""
    return book(lang).say(text)


def rendered(obj: Any, lang: str, memo: Memo | None = None) -> Any:
    """``obj`` as JSON-ready builtins with every Text replaced by its words; tags and ``omit_defaults`` as msgspec has them.

    Parts of the result are shared with other results of the same memo: do not change it.
    """
    known = Known() if memo is None else memo.setdefault(lang, Known())
    known.tidy()
    return _tree(obj, book(lang), known)


def _plan(kind: type) -> _Plan | None:
    """How a Struct type is written; None: it is no Struct, or one written as an array."""
    if kind not in _PLANS:
        _PLANS[kind] = _planned(kind)
    return _PLANS[kind]


def _planned(kind: type) -> _Plan | None:
    config: msgspec.structs.StructConfig | None = getattr(kind, "__struct_config__", None)
    if config is None or config.array_like:
        return None
    tag = None if config.tag is None else (config.tag_field or "type", config.tag)
    fields = []
    for field in msgspec.structs.fields(kind):
        factory = field.default_factory
        fields.append(_Field(field.name, field.encode_name, field.default, None if factory is msgspec.NODEFAULT else factory))
    return _Plan(tag, config.omit_defaults, tuple(fields))


def _tree(obj: Any, words: Book, memo: Known) -> Any:
    kind = type(obj)
    if kind in _PLAIN:
        return obj
    if kind is Text:
        return words.say(obj)
    if kind is tuple or kind is list:
        return [_tree(item, words, memo) for item in obj]
    plan = _plan(kind)
    if plan is not None:
        return _struct(obj, plan, words, memo)
    if isinstance(obj, Mapping):
        return {key: _tree(value, words, memo) for key, value in obj.items()}
    return msgspec.to_builtins(obj)


def _struct(obj: Any, plan: _Plan, words: Book, memo: Known) -> Any:
    hit = memo[id(obj)]
    if hit is not None:
        return hit[1]
    tree: dict[str, Any] = {}
    if plan.tag is not None:
        tree[plan.tag[0]] = plan.tag[1]
    omits = plan.omits
    for name, said, default, factory in plan.fields:
        value = getattr(obj, name)
        if omits and (value is default or _is_default(value, default, factory)):
            continue
        tree[said] = value if type(value) in _PLAIN else _tree(value, words, memo)
    memo[id(obj)] = (obj, tree)
    return tree


def _is_default(value: Any, default: Any, factory: Callable[[], Any] | None) -> bool:
    if factory is not None:
        return not value and type(value) is factory
    return type(value) is type(default) and value == default
