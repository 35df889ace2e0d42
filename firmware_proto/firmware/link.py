"""The device's end of the conversation: bytes in, bytes out, and what the strip should show.

A state machine without pins, files or a clock. Two states: *asleep* (nobody has said hello, or nobody has spoken for
five seconds) and *awake*. Asleep it answers hello only.
"""

import struct

from firmware_proto import codec
from firmware_proto.codec import Ack, Bye, Error, Fault, Hello, Identity, Message, Picture, Ping, Pong, Settings
from firmware_proto.firmware import VERSION
from firmware_proto.framing import Reader

ROLE = "track"
CALM_AFTER = 5000
"""ms without a word from the host. The host speaks every second."""


class Link:
    """One strip's link. Read ``picture`` and ``settings`` after each call: a new object means a new state."""

    def __init__(self, device: bytes, settings: Settings, picture: Picture | None = None) -> None:
        """``picture``: what it showed before it was reset; shown again until a host speaks or CALM_AFTER is over."""
        self.settings = settings
        self.picture = picture
        """Shown now; None is calm."""
        self.keep = picture
        """Worth showing again after a reset. A host that left without a Bye may be back; after a Bye there is none."""
        self.awake = False
        self._device = device
        self._reader = Reader()
        self._faults = 0
        self._heard = 0

    def receive(self, data: bytes, now: int) -> bytes:
        """What to send back for these bytes, however cut. ``now``: ms since the start, never going back."""
        out = b""
        for payload in self._reader.feed(data):
            message = codec.unpack(payload)
            if isinstance(message, Fault):
                # The CRC was right, so this is no noise: a host that speaks another dialect deserves to be told.
                self._faults += 1
                seq = struct.unpack(">H", payload[1:3])[0] if len(payload) >= 3 else 0
                out += codec.pack(Error(seq, codec.NOT_UNDERSTOOD, message.text[: codec.MAX_TEXT]))
            else:
                out += self._hear(message, now)
        return out

    def tick(self, now: int) -> None:
        """Time passes: after CALM_AFTER of silence the strip goes calm, and the next host must say hello."""
        if now - self._heard >= CALM_AFTER:
            self.awake = False
            self.picture = None

    def _hear(self, message: Message, now: int) -> bytes:
        answer = self._answer(message, now)
        if answer is None:
            return b""
        if self.awake:
            self._heard = now
        return codec.pack(answer)

    def _answer(self, message: Message, now: int) -> Message | None:
        if isinstance(message, Hello):
            return self._hello(message)
        if not isinstance(message, (Picture, Settings, Bye, Ping)):
            return None  # one of our own kinds: an echo. Answering it could go on for ever
        if not self.awake:
            # Either the host has not noticed that this board was reset, or it was away itself: it must paint everything anew.
            return Error(message.seq, codec.HELLO_FIRST, "say hello first")
        if isinstance(message, Ping):
            return Pong(message.seq, now & 0xFFFFFFFF, self._crc())
        if isinstance(message, Bye):
            self.picture = self.keep = None
        elif isinstance(message, Settings):
            if message.body() != self.settings.body():
                self.settings = message
        elif self._crc() != message.crc():
            self.picture = self.keep = message
        return Ack(message.seq, self._crc(), min(self._reader.bad + self._faults, 0xFFFF))

    def _hello(self, message: Hello) -> Message:
        if message.version != codec.VERSION:
            return Error(message.seq, codec.WRONG_VERSION, f"firmware {VERSION} speaks protocol {codec.VERSION}, not {message.version}")
        self.awake = True
        return Identity(
            message.seq,
            message.nonce,
            self._device,
            role=ROLE,
            lamps=self.settings.lamps,
            firmware=VERSION,
            features=codec.CAN_GAMMA | codec.CAN_REMEMBER,
        )

    def _crc(self) -> int:
        return self.picture.crc() if self.picture else 0
