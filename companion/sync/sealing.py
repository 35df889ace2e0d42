"""The seal: frames nobody but one seat and the referee can read, forge, replay or use elsewhere. Pure but for fresh random nonces.

Here: the frame's bytes, squeezing, padding, the handshake's two frames and ``Channel``, one end of one connection after it. Not here: what the
content says (``messages``), which key is alive (``keys``), sockets. See docs/protocol.md and docs/adr/0003-sealing-frame.md.

A frame is ``version u8 | epoch u16 | counter u64 | nonce 24 | ciphertext`` (big endian), sealed with XChaCha20-Poly1305-IETF. Its
associated data binds topic, game id, epoch, direction, both ends' connection nonces and the counter, so a frame moved to any other
place or time does not open. Errors name what was wrong and never quote content or key.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Callable
from typing import Final, Literal

import nacl.exceptions
import nacl.utils
from msgspec import Struct
from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_decrypt as _decrypt
from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_encrypt as _encrypt

from companion.sync.topics import Topics

VERSION: Final = 2
KEY: Final = 32
NONCE: Final = 24
CONNECTION: Final = 16
"""Bytes of the nonce each end picks for one connection."""
UNKNOWN: Final = bytes(CONNECTION)
"""Stands for a connection nonce that the frame's reader or writer cannot know yet."""
SMALLEST: Final = 1024
"""Content is padded to a power of two and never below this, so that lengths say little."""
FLOOR: Final = 1 << 13
"""What goes down is never below this either: views fit in, squeezed, so their lengths say nothing at all."""
SQUEEZED: Final = b"x"
"""How zlib's stream begins, and JSON never does."""
MAX_UP: Final = 1 << 16
"""Plaintext bytes of a frame from a phone; what is longer is refused before any work."""
MAX_DOWN: Final = 1 << 18
"""As much as the embedded broker carries in one message."""
MAX_WHOLE: Final = 1 << 20
"""Bytes of what goes down before it is squeezed."""

_HEAD: Final = struct.Struct(">BHQ")
_TAG: Final = 16
_SHORTEST: Final = _HEAD.size + NONCE + SMALLEST + _TAG
_LAST: Final = (1 << 64) - 1

Direction = Literal["u", "d"]
"""Up: phone to referee. Down: referee to phone."""
Random = Callable[[int], bytes]
Nonces = tuple[bytes, bytes]
"""Connection nonces: the phone's, the referee's."""


class SealError(ValueError):
    """A frame that is refused. The message says why, without secrets; ``why`` is one word for counting."""

    def __init__(self, why: str, message: str) -> None:
        super().__init__(message)
        self.why = why


class Bond(Struct, frozen=True):
    """What a seat's QR code carries and the referee keeps: everything two ends share before they ever met."""

    game_id: str
    seat: str
    epoch: int
    key: bytes

    def __repr__(self) -> str:
        return f"Bond({self.game_id} {self.seat}.{self.epoch})"  # a key never reaches a log


class Frame(Struct, frozen=True):
    """A frame taken apart, still sealed."""

    epoch: int
    counter: int
    nonce: bytes
    box: bytes

    def encode(self) -> bytes:
        return _HEAD.pack(VERSION, self.epoch, self.counter) + self.nonce + self.box

    @classmethod
    def decode(cls, data: bytes, limit: int = MAX_DOWN) -> Frame:
        """Raises SealError for anything that cannot be a frame of this version with at most ``limit`` bytes of plaintext."""
        if data[:1] and data[0] != VERSION:
            raise SealError("version", f"frame version {data[0]} is not {VERSION}: reload the phone page")
        if len(data) < _SHORTEST:
            raise SealError("short", f"a frame of {len(data)} bytes is cut off; the shortest has {_SHORTEST}")
        plain = len(data) - _SHORTEST + SMALLEST
        if plain > limit:
            raise SealError("long", f"a frame with {plain} bytes of content is over the limit of {limit}")
        _, epoch, counter = _HEAD.unpack_from(data)
        return cls(epoch, counter, data[_HEAD.size : _HEAD.size + NONCE], data[_HEAD.size + NONCE :])


def pad(content: bytes, limit: int = MAX_DOWN, least: int = SMALLEST) -> bytes:
    """Length, content and zeros up to a power of two of at least ``least``. Raises SealError when that passes ``limit``."""
    size = least
    while size < len(content) + 4:
        size *= 2
    if size > limit:
        raise SealError("long", f"{len(content)} bytes of content are over the limit of {limit}")
    return (len(content).to_bytes(4, "big") + content).ljust(size, b"\0")


def unpad(plain: bytes) -> bytes:
    """The content again; strict, so that one content has one form."""
    size = len(plain)
    if size < SMALLEST or size & (size - 1):
        raise SealError("padding", f"content padded to {size} bytes; it must be a power of two from {SMALLEST}")
    length = int.from_bytes(plain[:4], "big")
    if length > size - 4:
        raise SealError("padding", f"content claims {length} bytes in a frame of {size}")
    if plain.count(0, 4 + length) != size - 4 - length:
        raise SealError("padding", "the padding is not all zeros")
    return plain[4 : 4 + length]


def squeeze(content: bytes) -> bytes:
    """What does not fit the smallest frame that goes down, in fewer bytes: a browser reads a quiet connection a kilobyte at a time, and took
    1.3 ms longer for 32 of them than for 8.
    """
    if len(content) <= FLOOR - 4 and not content.startswith(SQUEEZED):
        return content
    stream = zlib.compressobj(1, strategy=zlib.Z_FIXED)  # a phone needs no time to build the tables of its codes
    return stream.compress(content) + stream.flush()


def stretch(content: bytes) -> bytes:
    """What was squeezed, or the content as it is. Raises SealError."""
    if not content.startswith(SQUEEZED):
        return content
    stream = zlib.decompressobj()
    try:
        whole = stream.decompress(content, MAX_WHOLE)
    except zlib.error as fault:
        raise SealError("content", f"squeezed content cannot be read ({fault})") from None
    if not stream.eof:
        raise SealError("content", f"squeezed content is cut off, or over the limit of {MAX_WHOLE} bytes")
    return whole


def associated(bond: Bond, direction: Direction, counter: int, nonces: Nonces) -> bytes:
    """The associated data: everything a frame is bound to beside its key."""
    names = Topics(bond.game_id)
    topic = names.up(bond.seat) if direction == "u" else names.down(bond.seat)
    return b"\0".join((topic.encode(), bond.game_id.encode(), b"")) + b"".join(
        (bond.epoch.to_bytes(2, "big"), direction.encode(), *nonces, counter.to_bytes(8, "big"))
    )


def _seal(bond: Bond, direction: Direction, counter: int, nonces: Nonces, content: bytes, *, random: Random, floor: int = FLOOR) -> bytes:
    nonce = random(NONCE)
    plain = pad(content, MAX_UP) if direction == "u" else pad(squeeze(content), MAX_DOWN, floor)
    box = _encrypt(plain, associated(bond, direction, counter, nonces), nonce, bond.key)
    return Frame(bond.epoch, counter, nonce, box).encode()


def _open(bond: Bond, direction: Direction, frame: Frame, nonces: Nonces) -> bytes:
    if frame.epoch != bond.epoch:
        raise SealError("epoch", f"a frame of epoch {frame.epoch} came to {bond.seat}.{bond.epoch}")
    try:
        plain = _decrypt(frame.box, associated(bond, direction, frame.counter, nonces), frame.nonce, bond.key)
    except nacl.exceptions.CryptoError:
        raise SealError(
            "seal", f"the seal of a frame for {bond.seat}.{bond.epoch} does not fit: another key, seat, connection, or changed bytes"
        ) from None
    return unpad(plain) if direction == "u" else stretch(unpad(plain))


def seal_hello(bond: Bond, content: bytes, *, random: Random = nacl.utils.random) -> bytes:
    """The phone's first frame; its content carries the phone's fresh connection nonce."""
    return _seal(bond, "u", 0, (UNKNOWN, UNKNOWN), content, random=random)


def open_hello(bond: Bond, frame: Frame) -> bytes:
    """Raises SealError. A hello can be replayed: it may only ever make a *pending* connection."""
    if frame.counter:
        raise SealError("counter", f"a hello counts 0, not {frame.counter}")
    return _open(bond, "u", frame, (UNKNOWN, UNKNOWN))


def seal_welcome(bond: Bond, phone: bytes, content: bytes, *, random: Random = nacl.utils.random, floor: int = FLOOR) -> bytes:
    """The answer to the hello that named the ``phone`` nonce; its content carries the referee's connection nonce."""
    return _seal(bond, "d", 0, (phone, UNKNOWN), content, random=random, floor=floor)


def open_welcome(bond: Bond, phone: bytes, frame: Frame) -> bytes:
    """Raises SealError: a welcome to an earlier hello does not open."""
    if frame.counter:
        raise SealError("counter", f"a welcome counts 0, not {frame.counter}")
    return _open(bond, "d", frame, (phone, UNKNOWN))


class Channel:
    """One end of one connection after hello and welcome. Counters start at 1 and only rise, each direction for itself."""

    def __init__(self, bond: Bond, direction: Direction, nonces: Nonces, *, random: Random = nacl.utils.random, floor: int = FLOOR) -> None:
        """``direction`` is the way this end sends: ``u`` for the phone, ``d`` for the referee. Only what goes down heeds ``floor``."""
        if any(len(nonce) != CONNECTION for nonce in nonces):
            raise SealError("nonce", f"a connection nonce has {CONNECTION} bytes")
        self.bond = bond
        self._sends = direction
        self._hears: Direction = "d" if direction == "u" else "u"
        self._nonces = nonces
        self._random = random
        self._floor = floor
        self._sent = 0
        self._heard = 0

    def seal(self, content: bytes) -> bytes:
        """The next frame from this end."""
        if self._sent >= _LAST:
            raise SealError("counter", "this connection has sent all the frames it can number: say hello again")
        self._sent += 1
        return _seal(self.bond, self._sends, self._sent, self._nonces, content, random=self._random, floor=self._floor)

    def open(self, frame: Frame) -> bytes:
        """The content of a frame from the other end, once: a counter not above the last one opened is refused."""
        if frame.counter <= self._heard:
            raise SealError("counter", f"frame {frame.counter} is not above {self._heard}: repeated, late, or a hello")
        content = _open(self.bond, self._hears, frame, self._nonces)
        self._heard = frame.counter
        return content


def fresh_nonce() -> bytes:
    """A connection nonce."""
    return nacl.utils.random(CONNECTION)


def fresh_key() -> bytes:
    """A seat's key."""
    return nacl.utils.random(KEY)


def mqtt_password(key: bytes) -> str:
    """What the phone shows the broker: derived, so that who learns it still reads nothing."""
    return hashlib.blake2b(b"", key=key, digest_size=32, person=b"jinmaku-mqtt").hexdigest()
