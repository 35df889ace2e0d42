"""What is said inside the frames: JSON of a phone, read strictly, and the referee's answers, written.

Here: the message types and their bytes, hello's nonce included. Not here: sealing, who may say what, the rendering of views
(``words``). See docs/protocol.md.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Union

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from companion.rules.game import Event, Refusal
from companion.rules.view import Text
from companion.sync.sealing import CONNECTION
from companion.words import render

Id = Annotated[str, Meta(min_length=1, max_length=64)]
Lang = Annotated[str, Meta(max_length=16)]


class MessageError(ValueError):
    """Content that is no message of ours; says what was expected, quotes nothing."""


class Hello(Struct, frozen=True, tag="hello", tag_field="t"):
    """``proto`` decides first: of another protocol nothing else is believed."""

    proto: int
    nonce: str
    lang: Lang = "en"


class Ready(Struct, frozen=True, tag="ready", tag_field="t"):
    """The first frame after welcome: now this connection is the seat's."""


class Asked(Struct, frozen=True, tag="order", tag_field="t"):
    """A command, and the stamp of the question it answers."""

    id: Id
    stamp: Annotated[int, Meta(ge=0)]
    command: msgspec.Raw


class Speak(Struct, frozen=True, tag="lang", tag_field="t"):
    """From now on in this language."""

    lang: Lang


class Ping(Struct, frozen=True, tag="ping", tag_field="t"):
    """Is anybody there? Answered with the whole view."""


Up = Union[Hello, Ready, Asked, Speak, Ping]
_UP: Final = msgspec.json.Decoder(Up)
_BYTES: Final = msgspec.json.Decoder()


def read_up(content: bytes) -> Up:
    """Raises MessageError."""
    try:
        message = _UP.decode(content)
        if isinstance(message, Asked):
            # a field that is kept raw is only skipped over by the decoder: read it once, so that no broken JSON goes further
            _BYTES.decode(message.command)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise MessageError(_plainly(fault)) from None
    return message


def _plainly(fault: Exception) -> str:
    """The decoder's own words where they name types and fields, and nothing where they could quote content."""
    if isinstance(fault, msgspec.ValidationError) and "Invalid value" not in str(fault):
        return f"a message that is not as the protocol says: {fault}"
    return "content that is not the JSON of a message" if not isinstance(fault, msgspec.ValidationError) else "a message of an unknown kind"


def to_b64(data: bytes) -> str:
    """base64url without padding, as in URLs and messages."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_b64(text: str, size: int) -> bytes:
    """Exactly ``size`` bytes in their one spelling; raises MessageError."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):  # ValueError: text that is not ASCII
        raise MessageError(f"expected {size} bytes in base64url without padding") from None
    if len(data) != size or to_b64(data) != text:
        raise MessageError(f"expected {size} bytes in base64url without padding")
    return data


def nonce_of(hello: Hello) -> bytes:
    """The phone's connection nonce; raises MessageError."""
    return from_b64(hello.nonce, CONNECTION)


class Refused(Struct, frozen=True):
    clause: str
    text: str
    lawful: tuple[str, ...]


class Answered(Struct, frozen=True):
    """The answer to one order, in finished words."""

    id: str
    ok: bool
    revision: int
    events: tuple[str, ...] = ()
    refusal: Refused | None = None


class Down(Struct, frozen=True):
    """Every message to a phone: the whole picture."""

    t: Literal["welcome", "view", "moved", "revoked", "reload"]
    revision: int
    stamp: int
    seat: str
    view: msgspec.Raw | None = None
    answer: Answered | None = None
    waiting: bool = False
    nonce: str | UnsetType = UNSET
    text: str | UnsetType = UNSET
    proto: int | UnsetType = UNSET
    clauses: Mapping[str, str] | UnsetType = UNSET
    """The rules' clauses in the phone's language, once a connection and language: whatever is cited can be opened."""

    def encode(self) -> bytes:
        return msgspec.json.encode(self)


def said(events: tuple[Event, ...], seat: str, lang: str) -> tuple[str, ...]:
    """The sentences of those events this seat may read."""
    return tuple(render(event.text, lang) for event in events if event.to is None or seat in event.to)


def refused(refusal: Refusal | None, lang: str) -> Refused | None:
    if refusal is None:
        return None
    return Refused(refusal.clause, render(refusal.text, lang), tuple(render(text, lang) for text in refusal.lawful))


def sentence(key: str, lang: str, **args: Any) -> str:
    """One of this room's own sentences (``words/locale/*/sync.po``)."""
    return render(Text(key, args), lang)
