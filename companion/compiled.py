"""Text files of this program, read once and kept parsed beside Python's own bytecode, in the same manner: made anew when the text has changed,
not kept where no bytecode is, and never needed: whatever is wrong with what is kept, the text is parsed.

Here: the keeping. Not here: any file or format.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import sys
import threading
from collections.abc import Callable
from hashlib import blake2b
from importlib.resources.abc import Traversable
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any, Final, TypeVar

T = TypeVar("T")

SEAL: Final = 16
"""Bytes before what is kept: of which text and shape it is, and that it is whole."""


def compiled(source: Traversable, text: bytes, shape: str, parse: Callable[[], T]) -> T:
    """What ``parse`` makes of ``text``, the contents of ``source``: plain tables, lists, tuples, words and numbers. Raises what ``parse`` raises.

    ``shape`` is another word whenever ``parse`` makes something else of the same text.
    """
    if not isinstance(source, Path):  # packed away: there is nothing beside it
        return parse()
    home = Path(cache_from_source(str(source))).parent
    where = home / f"{source.name}.{sys.implementation.cache_tag}.kept"  # by no name that a build takes for the text
    try:
        found = where.read_bytes()
        if found[:SEAL] == _seal(text, shape, found[SEAL:]):
            kept: T = marshal.loads(found[SEAL:])  # noqa: S302 - trusted as the bytecode beside it, and it is whole
            return kept
    except OSError:
        pass
    made = parse()
    if not sys.dont_write_bytecode:
        _keep(home, where, text, shape, made)
    return made


def _seal(text: bytes, shape: str, body: bytes) -> bytes:
    return blake2b(body, key=blake2b(text, person=shape.encode()).digest(), digest_size=SEAL).digest()


def _keep(home: Path, where: Path, text: bytes, shape: str, made: Any) -> None:
    try:
        body = marshal.dumps(made)
    except ValueError:  # dates and the like: there is no plain form of them
        return
    part = where.with_name(f"{where.name}.{os.getpid()}.{threading.get_native_id()}")  # nobody else's; one that was killed may have left it
    try:
        home.mkdir(parents=True, exist_ok=True)
        part.write_bytes(_seal(text, shape, body) + body)
        part.replace(where)
    except OSError:  # somebody else's folder, a full disk
        with contextlib.suppress(OSError):
            part.unlink()
