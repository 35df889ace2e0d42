"""The PN532's host frames (UM0701-02, 6.2.1) from the chip's side: bytes in, frames out.

Sans-IO, and deaf to nonsense: any bytes may come in, and only whole frames with right checksums go out. What a
frame means belongs to `pn532_chip`.
"""

import msgspec

ACK = bytes.fromhex("0000FF00FF00")
SYNTAX_ERROR = bytes.fromhex("0000FF01FF7F8100")
LONGEST = 265
"""Most bytes in a frame (TFI, code and parameters); a longer length field is a lie or noise."""


class Ack(msgspec.Struct, frozen=True):
    """The host aborts, or confirms a change of speed."""


class Nack(msgspec.Struct, frozen=True):
    """The host wants the last answer again."""


class Command(msgspec.Struct, frozen=True):
    """One host command whose checksums are right."""

    code: int
    data: bytes


Frame = Ack | Nack | Command


def answer(code: int, data: bytes) -> bytes:
    """The frame that answers command `code`."""
    body = bytes((0xD5, (code + 1) & 0xFF)) + data
    if len(body) < 0xFF:
        head = bytes((len(body), -len(body) & 0xFF))
    else:
        size = len(body).to_bytes(2, "big")
        head = b"\xff\xff" + size + bytes((-sum(size) & 0xFF,))
    return b"\x00\x00\xff" + head + body + bytes((-sum(body) & 0xFF, 0x00))


class Decoder:
    """Finds frames in a stream of bytes."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self.broken = 0
        """Frames thrown away: wrong checksum, impossible length, not from a host."""

    @property
    def waiting(self) -> int:
        """Bytes kept in the hope of more: never more than one frame and its head."""
        return len(self._buffer)

    def feed(self, data: bytes) -> list[Frame]:
        """Take bytes, give back the frames they complete."""
        self._buffer += data
        frames: list[Frame] = []
        while True:
            start = self._buffer.find(b"\x00\xff")
            if start < 0:
                del self._buffer[: len(self._buffer) - self._buffer.endswith(b"\x00")]
                return frames
            del self._buffer[:start]
            size = self._one(frames)
            if size == 0:
                return frames
            del self._buffer[:size]

    def idle(self) -> None:
        """Nothing came for a while: half a frame is given up, so that it cannot swallow the next."""
        self._buffer.clear()

    def _one(self, frames: list[Frame]) -> int:
        """Read one frame at the start code; how many bytes are done with, 0 for "need more"."""
        buffer = self._buffer
        if len(buffer) < 4:
            return 0
        length, check, head = buffer[2], buffer[3], 4
        if (length, check) == (0x00, 0xFF):
            frames.append(Ack())
            return 4
        if (length, check) == (0xFF, 0x00):
            frames.append(Nack())
            return 4
        if (length, check) == (0xFF, 0xFF):
            if len(buffer) < 7:
                return 0
            length, head = buffer[4] << 8 | buffer[5], 7
            right = (buffer[4] + buffer[5] + buffer[6]) & 0xFF == 0
        else:
            right = (length + check) & 0xFF == 0
        if not right or not 2 <= length <= LONGEST:
            self.broken += 1
            return 2  # step over the start code and look for the next
        if len(buffer) < head + length + 1:
            return 0
        body = bytes(buffer[head : head + length])
        if (sum(body) + buffer[head + length]) & 0xFF or body[0] != 0xD4:
            self.broken += 1
            return 2
        frames.append(Command(body[1], body[2:]))
        return head + length + 1
