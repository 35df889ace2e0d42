"""What the table and its LED track say to each other; runs unchanged on CPython and on MicroPython.

Here: the messages, to bytes and back. Not here: frames (``framing``), time, ports, lamps, threads.

A payload is ``kind u8 | seq u16 | body``; numbers are big endian. The host asks, the device answers with the same ``seq``;
one question is on the line at a time. A device speaks unasked only to say that it has started again (Error, seq 0).

Constructors refuse what the wire cannot carry (``Fault``), so packing cannot fail; unpacking gives a message or a Fault for
any bytes at all and never raises.
"""

import binascii
import struct

from firmware_proto.framing import frame

VERSION = 1
"""Rises when an old and a new end would misread each other. One digit: it travels as a printable character."""

MAX_SEGMENTS = 64
MAX_LAMPS = 255
MAX_TEXT = 120
MIN_PERIOD = 480
"""ms. A bar shorter than this would flash."""

STEPS = 12
"""A rhythm is this many steps of brightness 0..3 (thirds), two bits each, the first in the top bits."""
FULL = 0xFFFFFF
"""The rhythm of a steady lamp."""

ORDERS = ("rgb", "rbg", "grb", "gbr", "brg", "bgr")
"""Colour orders a strip may want; Settings carries the place in this tuple."""

WRONG_VERSION = 1
HELLO_FIRST = 2
NOT_UNDERSTOOD = 3
STARTED_AGAIN = 4

CAN_GAMMA = 1
CAN_REMEMBER = 2
"""Features: knows the gamma setting; shows its last picture after a reset."""


class Fault(ValueError):  # noqa: N818 - it is returned as often as it is raised
    """Why bytes are no message, or values no message: ``name`` for programs, ``text`` for people."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(text)
        self.name = name
        self.text = text


def _range(name: str, value: int, low: int, high: int) -> int:
    if not low <= value <= high:
        raise Fault(name, f"{name} is {value}, must be {low} to {high}")
    return value


def _words(name: str, text: str, most: int = MAX_TEXT) -> str:
    """Printable ASCII only: both interpreters agree on it, and so does every terminal it may end up in."""
    if len(text) > most or not all(" " <= c <= "~" for c in text):
        raise Fault(name, f"{name} must be at most {most} printable ASCII characters")
    return text


def _counted(name: str, body: bytes, at: int) -> tuple[str, int]:
    """A string with its length in front, and where the next field begins."""
    end = at + 1 + body[at] if at < len(body) else at + 1
    if end > len(body):
        raise Fault("length", f"{name} is cut short")
    if not all(0x20 <= b <= 0x7E for b in body[at + 1 : end]):
        raise Fault(name, f"{name} must be printable ASCII")
    return body[at + 1 : end].decode(), end


class Record:
    """Fields compared and shown by name. Not to be changed once made."""

    FIELDS: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(getattr(self, f) == getattr(other, f) for f in self.FIELDS)

    def __hash__(self) -> int:
        return hash(tuple([getattr(self, f) for f in self.FIELDS]))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join([f'{f}={getattr(self, f)!r}' for f in self.FIELDS])})"


class Message(Record):
    """What one frame says. ``seq`` ties an answer to its question."""

    KIND = 0

    def __init__(self, seq: int) -> None:
        self.seq = _range("seq", seq, 0, 0xFFFF)

    def body(self) -> bytes:
        """The bytes after kind and seq."""
        return b""


class Hello(Message):
    """Host: who is there? Every byte of its frame can be chosen a letter, digit or space, so that it does nothing to other devices."""

    KIND = 0x48  # H
    FIELDS = ("seq", "nonce", "version")
    MAGIC = b"jinmaku asks who listens on this li"
    """Also fills the frame to 47 bytes, so that its COBS byte is the digit 0."""

    def __init__(self, seq: int, nonce: int, version: int = VERSION) -> None:
        super().__init__(seq)
        self.nonce = _range("nonce", nonce, 0, 0xFFFFFFFF)
        """Comes back in the Identity: an answer to an older hello is not taken for this one's."""
        self.version = _range("version", version, 0, 9)

    def body(self) -> bytes:
        return self.MAGIC + struct.pack(">BI", 0x30 + self.version, self.nonce)

    @classmethod
    def parse(cls, seq: int, body: bytes) -> "Hello":
        """Later versions may say more after the version; this much stays for ever."""
        size = len(cls.MAGIC)
        if body[:size] != cls.MAGIC or len(body) < size + 5:
            raise Fault("hello", "this is no hello of ours")
        version, nonce = struct.unpack(">BI", body[size : size + 5])
        if version == 0x30 + VERSION and len(body) != size + 5:
            raise Fault("length", f"a hello of version {VERSION} has {size + 5} bytes, not {len(body)}")
        return cls(seq, nonce, version - 0x30)


class Identity(Message):
    """Device: the answer to Hello."""

    KIND = 0x49  # I
    FIELDS = ("seq", "nonce", "device", "role", "lamps", "firmware", "features", "version")

    def __init__(
        self, seq: int, nonce: int, device: bytes, *, role: str, lamps: int, firmware: str, features: int = 0, version: int = VERSION
    ) -> None:
        super().__init__(seq)
        self.nonce = _range("nonce", nonce, 0, 0xFFFFFFFF)
        _range("device id length", len(device), 8, 8)
        self.device = device
        """Eight bytes that belong to this board; a port's name never is an identity."""
        self.role = _words("role", role, 32)
        self.lamps = _range("lamps", lamps, 1, MAX_LAMPS)
        self.firmware = _words("firmware version", firmware, 32)
        self.features = _range("features", features, 0, 0xFFFF)
        self.version = _range("version", version, 0, 9)

    def body(self) -> bytes:
        head = struct.pack(">BI", 0x30 + self.version, self.nonce) + self.device + struct.pack(">BH", self.lamps, self.features)
        role, firmware = self.role.encode(), self.firmware.encode()
        return head + bytes((len(role),)) + role + bytes((len(firmware),)) + firmware

    @classmethod
    def parse(cls, seq: int, body: bytes) -> "Identity":
        if len(body) < 16:
            raise Fault("length", "an identity is cut short")
        version, nonce = struct.unpack(">BI", body[:5])
        lamps, features = struct.unpack(">BH", body[13:16])
        role, at = _counted("role", body, 16)
        firmware, at = _counted("firmware version", body, at)
        if at != len(body):
            raise Fault("length", "an identity has bytes left over")
        return cls(seq, nonce, body[5:13], role=role, lamps=lamps, firmware=firmware, features=features, version=version - 0x30)


class Segment(Record):
    """Lamps ``first`` .. ``first + length - 1`` in one colour and rhythm. A later segment covers an earlier one."""

    FIELDS = ("first", "length", "rgb", "rhythm", "period")
    SIZE = 10

    def __init__(self, first: int, length: int, rgb: tuple[int, int, int], rhythm: int = FULL, period: int = 0) -> None:
        self.first = _range("first lamp", first, 0, MAX_LAMPS - 1)
        self.length = _range("length", length, 1, MAX_LAMPS - first)
        for part in rgb:
            _range("colour", part, 0, 255)
        self.rgb = rgb
        """Linear drive at full brightness."""
        self.rhythm = _range("rhythm", rhythm, 0, FULL)
        self.period = period if period == 0 else _range("period", period, MIN_PERIOD, 0xFFFF)
        """ms of the whole bar; 0 stands still at its first step."""

    def body(self) -> bytes:
        return struct.pack(">BBBBBBHH", self.first, self.length, *self.rgb, self.rhythm >> 16, self.rhythm & 0xFFFF, self.period)

    @classmethod
    def parse(cls, body: bytes) -> "Segment":
        first, length, r, g, b, high, low, period = struct.unpack(">BBBBBBHH", body)
        return cls(first, length, (r, g, b), high << 16 | low, period)


class Picture(Message):
    """Host: show this, all of it, instead of whatever is shown. Lamps in no segment are dark. Answered by Ack."""

    KIND = 0x50  # P
    FIELDS = ("seq", "brightness", "segments")

    def __init__(self, seq: int, brightness: int, segments: tuple[Segment, ...]) -> None:
        super().__init__(seq)
        self.brightness = _range("brightness", brightness, 0, 255)
        _range("number of segments", len(segments), 0, MAX_SEGMENTS)
        self.segments = segments

    def body(self) -> bytes:
        return bytes((self.brightness, len(self.segments))) + b"".join([s.body() for s in self.segments])

    def crc(self) -> int:
        """What Ack and Pong name this picture by: the CRC-32 of its body, so ``seq`` does not matter. Never 0, which is calm."""
        return binascii.crc32(self.body()) or 1

    @classmethod
    def parse(cls, seq: int, body: bytes) -> "Picture":
        if len(body) < 2 or len(body) != 2 + body[1] * Segment.SIZE:
            raise Fault("length", f"a picture has {len(body)} bytes, which its count of segments denies")
        return cls(seq, body[0], tuple([Segment.parse(body[i : i + Segment.SIZE]) for i in range(2, len(body), Segment.SIZE)]))


class Ack(Message):
    """Device: done; ``crc`` names the picture shown now (0: calm), ``bad`` counts frames it had to drop since it started (stops at 65535)."""

    KIND = 0x41  # A
    FIELDS = ("seq", "crc", "bad")

    def __init__(self, seq: int, crc: int, bad: int) -> None:
        super().__init__(seq)
        self.crc = _range("crc", crc, 0, 0xFFFFFFFF)
        self.bad = _range("bad", bad, 0, 0xFFFF)

    def body(self) -> bytes:
        return struct.pack(">IH", self.crc, self.bad)

    @classmethod
    def parse(cls, seq: int, body: bytes) -> "Ack":
        crc, bad = struct.unpack(">IH", _exactly(body, 6))
        return cls(seq, crc, bad)


class Ping(Message):
    """Host: still here. Five seconds without any message and the device goes calm."""

    KIND = 0x47  # G
    FIELDS = ("seq",)

    @classmethod
    def parse(cls, seq: int, body: bytes) -> "Ping":
        _exactly(body, 0)
        return cls(seq)


class Pong(Message):
    """Device: the answer to Ping. ``uptime`` in ms wraps at 2**32; ``crc`` as in Ack."""

    KIND = 0x4F  # O
    FIELDS = ("seq", "uptime", "crc")

    def __init__(self, seq: int, uptime: int, crc: int) -> None:
        super().__init__(seq)
        self.uptime = _range("uptime", uptime, 0, 0xFFFFFFFF)
        self.crc = _range("crc", crc, 0, 0xFFFFFFFF)

    def body(self) -> bytes:
        return struct.pack(">II", self.uptime, self.crc)

    @classmethod
    def parse(cls, seq: int, body: bytes) -> "Pong":
        uptime, crc = struct.unpack(">II", _exactly(body, 8))
        return cls(seq, uptime, crc)


class Settings(Message):
    """Host: the strip is like this. The device keeps it over a reset and answers Ack."""

    KIND = 0x53  # S
    FIELDS = ("seq", "lamps", "first", "reversed", "order", "cap_ma", "brightness", "gamma")

    def __init__(
        self,
        seq: int = 0,
        *,
        lamps: int = 60,
        first: int = 0,
        reversed: bool = False,  # noqa: A002 - the word for it; as a parameter it hides nothing that is used here
        order: str = "grb",
        cap_ma: int = 500,
        brightness: int = 64,
        gamma: bool = False,
    ) -> None:
        super().__init__(seq)
        self.lamps = _range("lamps", lamps, 1, MAX_LAMPS)
        """Lamps of the track; a picture counts them from 0."""
        self.first = _range("first", first, 0, 255)
        """Lamps of the strip before the track's end of it; they stay dark."""
        self.reversed = reversed
        """Lamp 0 is the far one."""
        if order not in ORDERS:
            raise Fault("order", "colour order must be one of " + ", ".join(ORDERS))
        self.order = order
        self.cap_ma = _range("current cap", cap_ma, 1, 0xFFFF)
        """mA for the whole strip, its resting current included."""
        self.brightness = _range("brightness", brightness, 0, 255)
        """Of the calm pattern; a picture brings its own."""
        self.gamma = gamma
        """Square the steps of a rhythm, so that thirds look like thirds."""

    def body(self) -> bytes:
        flags = (1 if self.reversed else 0) | (2 if self.gamma else 0)
        return struct.pack(">BBBBHB", self.lamps, self.first, flags, ORDERS.index(self.order), self.cap_ma, self.brightness)

    @classmethod
    def parse(cls, seq: int, body: bytes) -> "Settings":
        lamps, first, flags, order, cap, brightness = struct.unpack(">BBBBHB", _exactly(body, 7))
        _range("flags", flags, 0, 3)
        _range("order", order, 0, len(ORDERS) - 1)
        return cls(
            seq,
            lamps=lamps,
            first=first,
            reversed=bool(flags & 1),
            order=ORDERS[order],
            cap_ma=cap,
            brightness=brightness,
            gamma=bool(flags & 2),
        )


class Bye(Message):
    """Host: I am going. The device goes calm at once and answers Ack."""

    KIND = 0x42  # B
    FIELDS = ("seq",)

    @classmethod
    def parse(cls, seq: int, body: bytes) -> "Bye":
        _exactly(body, 0)
        return cls(seq)


class Error(Message):
    """Device: no, and why. ``code`` is one of WRONG_VERSION, HELLO_FIRST, NOT_UNDERSTOOD, STARTED_AGAIN, or a later one."""

    KIND = 0x45  # E
    FIELDS = ("seq", "code", "text")

    def __init__(self, seq: int, code: int, text: str) -> None:
        super().__init__(seq)
        self.code = _range("code", code, 0, 255)
        self.text = _words("text", text)

    def body(self) -> bytes:
        return bytes((self.code, len(self.text))) + self.text.encode()

    @classmethod
    def parse(cls, seq: int, body: bytes) -> "Error":
        text, at = _counted("text", body, 1)
        if at != len(body):
            raise Fault("length", "an error has bytes left over")
        return cls(seq, body[0], text)


def _exactly(body: bytes, size: int) -> bytes:
    if len(body) != size:
        raise Fault("length", f"the body has {len(body)} bytes, must be {size}")
    return body


KINDS = (Hello, Identity, Picture, Ack, Ping, Pong, Settings, Bye, Error)
_BY_KIND = {kind.KIND: kind for kind in KINDS}


def pack(message: Message, seq: int | None = None) -> bytes:
    """The frame that says this, with another ``seq`` if one is given."""
    return frame(struct.pack(">BH", message.KIND, message.seq if seq is None else seq) + message.body())


def unpack(payload: bytes) -> Message | Fault:
    """What a payload says, or the Fault that names why it says nothing. Never raises."""
    if len(payload) < 3:
        return Fault("length", "a message has at least 3 bytes")
    number, seq = struct.unpack(">BH", payload[:3])
    kind = _BY_KIND.get(number)
    if kind is None:
        return Fault("kind", f"nobody knows messages of kind {number}")
    try:
        return kind.parse(seq, payload[3:])
    except Fault as fault:
        return fault
