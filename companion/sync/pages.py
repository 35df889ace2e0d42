"""The phone's page as it is served: read once, held in memory, sent with headers that allow nothing it does not need.

Not here: sockets (``server``) and the page itself (``companion/phone``). Only what was found in the bundle is ever answered, by exact path,
so no request reaches the disk.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import Path
from typing import Final

from msgspec import Struct

_HOST: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(:[0-9]{1,5})?")


def headers(host: str) -> dict[str, str]:
    """What goes with every answer; ``host`` is the name the request called us by.

    The page may talk to where it came from and to nobody else, so that whatever got into it could carry nothing away. Its WebSocket is
    named beside ``'self'``, because Safari before 16 does not count a page's own ``ws:`` as that; and named as the request calls us,
    because a table has no name of its own: it goes by an address, or by whatever the router made up. ``ws:`` and not only ``wss:``,
    because such a name has no certificate. What is no name, and an IPv6 address, which a policy cannot hold, leaves ``'self'`` alone.
    """
    own = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    return {
        "Content-Security-Policy": f"default-src 'self'; connect-src 'self'{own}; object-src 'none'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Server": "jinmaku",
    }


_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".ttf": "font/ttf",
    ".txt": "text/plain; charset=utf-8",
}  # our own: the system's table may call scripts plain text

_UNBUILT: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Jinmaku</title>
<h1>The phone page has not been built</h1>
<p>On the computer that runs the table, in Jinmaku's directory, run <code>make run</code>: it builds the page and starts the table.
An installed Jinmaku always has it: <code>pip install .</code></p>
</html>
"""


class Answer(Struct, frozen=True):
    """What to send: status, what stands beside ``headers``, body."""

    status: int
    headers: dict[str, str]
    body: bytes = b""


class _File(Struct, frozen=True):
    type: str
    tag: str
    body: bytes
    packed: bytes
    """The same, gzipped when it was built; empty: it was not."""


class Pages:
    """The bundle in ``static``. Without one, a page that says how to build it."""

    def __init__(self, static: Path) -> None:
        self._files: dict[str, _File] = {}
        for path in sorted(static.rglob("*")) if (static / "index.html").is_file() else ():
            if path.suffix in _TYPES and path.is_file():
                body = path.read_bytes()
                packed = path.with_name(path.name + ".gz")
                self._files["/" + path.relative_to(static).as_posix()] = _File(
                    _TYPES[path.suffix], blake2b(body, digest_size=16).hexdigest(), body, packed.read_bytes() if packed.is_file() else b""
                )

    @property
    def built(self) -> bool:
        """There is a page to show."""
        return bool(self._files)

    def answer(self, method: str, path: str, accept_encoding: str, if_none_match: str) -> Answer:
        """What a request gets; ``path`` is decoded and without its query."""
        if method not in {"GET", "HEAD"}:
            return Answer(405, {"Allow": "GET, HEAD", "Content-Type": _TYPES[".txt"]}, b"This address only answers GET.\n")
        if path == "/":
            path = "/index.html"
        file = self._files.get(path)
        if file is None:
            if path == "/index.html":
                return Answer(503, {"Content-Type": _TYPES[".html"], "Cache-Control": "no-store"}, _UNBUILT.encode())
            return Answer(404, {"Content-Type": _TYPES[".txt"], "Cache-Control": "no-store"}, b"There is nothing at this address.\n")
        # The page itself is always fetched anew, so an update is never hidden; the rest asks whether it has changed.
        headers = {
            "Content-Type": file.type,
            "Cache-Control": "no-store" if path == "/index.html" else "no-cache",
            "Vary": "Accept-Encoding",
        }
        packed = bool(file.packed) and _accepts_gzip(accept_encoding)
        tag = f'"{file.tag}-gz"' if packed else f'"{file.tag}"'
        if path != "/index.html":
            headers["ETag"] = tag
            if tag in (part.strip() for part in if_none_match.split(",")):
                return Answer(304, headers)
        if packed:
            headers["Content-Encoding"] = "gzip"
        return Answer(200, headers, file.packed if packed else file.body)


def _accepts_gzip(accept_encoding: str) -> bool:
    for part in accept_encoding.lower().split(","):
        coding, _, weight = part.partition(";")
        if coding.strip() == "gzip":
            return weight.replace(" ", "") not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}
    return False
