"""Simulated tags, as the air interface sees them: ISO 14443-3 type A at 106 kbit/s.

Here live the memory and the RF commands of a tag. Anticollision belongs to the reader chip (`pn532_chip`), and where
a tag lies to the `antenna`. Written from the public data sheets of NTAG213/215/216 and ISO 14443; no real tag was
measured. What is not modelled: passwords, counters, dynamic lock bits, a true originality signature.
"""

import hashlib
import random
from typing import ClassVar

ACK = 0x0A
NAK_ARGUMENT = 0x00
NAK_CHECKSUM = 0x01
NAK_AUTHENTICATION = 0x04


def crc_a(data: bytes) -> bytes:
    """The two CRC_A bytes of `data`, in the order they go on the air."""
    crc = 0x6363
    for octet in data:
        mixed = octet ^ (crc & 0xFF)
        mixed = (mixed ^ (mixed << 4)) & 0xFF
        crc = ((crc >> 8) ^ (mixed << 8) ^ (mixed << 3) ^ (mixed >> 4)) & 0xFFFF
    return bytes((crc & 0xFF, crc >> 8))


class Tag:
    """A tag that can be found and selected, and answers nothing: the base of the others."""

    sens_res = b"\x44\x00"
    """ATQA in the order on the air."""
    sel_res = 0x00
    """SAK: 0x00 a Type 2 tag, 0x08 MIFARE Classic, 0x20 ISO-DEP (phones)."""

    def __init__(self, uid: bytes) -> None:
        self.uid = uid
        self.selected = False

    @property
    def name(self) -> str:
        """The UID as everybody writes it: upper-case hex, no separators."""
        return self.uid.hex().upper()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name})"

    def select(self) -> None:
        """The reader has chosen this tag by its UID."""
        self.selected = True

    def field_off(self) -> None:
        """The reader's field is gone, and with it the tag's power."""
        self.selected = False

    def rf(self, frame: bytes) -> bytes | None:
        """Answer a frame (with its CRC_A): bytes with CRC_A, one byte for a 4-bit ACK or NAK, None for silence."""
        if not self.selected:
            return None
        if len(frame) < 3 or crc_a(frame[:-2]) != frame[-2:]:
            return self.nak(NAK_CHECKSUM)
        if frame[:-2] == b"\x50\x00":  # HLTA is never answered
            self.selected = False
            return None
        return self.answer(frame[:-2])

    def answer(self, command: bytes) -> bytes | None:
        """Answer a command whose CRC was right."""
        del command
        return self.nak(NAK_ARGUMENT)

    def nak(self, code: int) -> bytes:
        """Refuse; a refused tag falls back to IDLE and must be sensed again."""
        self.selected = False
        return bytes((code,))


class Ntag(Tag):
    """NTAG213, 215 or 216 with its memory."""

    # kind: (pages, CC size byte, storage byte of GET_VERSION)
    KINDS: ClassVar = {213: (45, 0x12, 0x0F), 215: (135, 0x3E, 0x11), 216: (231, 0x6D, 0x13)}

    def __init__(self, uid: bytes, kind: int = 213, ndef: bytes = b"") -> None:
        if len(uid) != 7 or uid[0] != 0x04:
            raise ValueError(f"an NTAG's UID has 7 bytes and starts with 04, not {uid.hex().upper() or 'nothing'}")
        if kind not in self.KINDS:
            raise ValueError(f"no NTAG{kind} here: choose 213, 215 or 216")
        super().__init__(uid)
        self.kind = kind
        self.pages, size, self._storage = self.KINDS[kind]
        memory = bytearray(self.pages * 4)
        memory[0:3], memory[3] = uid[0:3], 0x88 ^ uid[0] ^ uid[1] ^ uid[2]
        memory[4:8], memory[8], memory[9] = uid[3:7], uid[3] ^ uid[4] ^ uid[5] ^ uid[6], 0x48
        memory[12:16] = bytes((0xE1, 0x10, size, 0x00))
        # an NTAG213 leaves the factory with a lock control TLV, its larger sisters without
        content = bytes.fromhex("0103A00C34") if kind == 213 else b""
        length = bytes((len(ndef),)) if len(ndef) < 0xFF else b"\xff" + len(ndef).to_bytes(2, "big")
        content += b"\x03" + length + ndef + b"\xfe"
        if len(content) > size * 8:
            raise ValueError(f"{len(ndef)} bytes of NDEF do not fit on an NTAG{kind} ({size * 8} bytes)")
        memory[16 : 16 + len(content)] = content
        configuration = (self.pages - 4) * 4
        memory[configuration - 1] = 0xBD
        memory[configuration : configuration + 8] = bytes.fromhex("040000FF00050000")
        self.memory = memory

    def answer(self, command: bytes) -> bytes | None:
        code, size = command[0], len(command)
        if code == 0x30 and size == 2:
            return self._read(command[1], 4, wrap=True)
        if code == 0x3A and size == 3 and command[1] <= command[2]:
            return self._read(command[1], command[2] - command[1] + 1, wrap=False)
        if code == 0xA2 and size == 6:
            return self._write(command[1], command[2:6])
        if code == 0x60 and size == 1:
            return self._checked(bytes((0x00, 0x04, 0x04, 0x02, 0x01, 0x00, self._storage, 0x03)))
        if code == 0x3C and size == 2 and command[1] == 0:
            return self._checked(hashlib.sha256(self.uid).digest())  # the length is right, the signer is nobody
        return self.nak(NAK_ARGUMENT)

    @staticmethod
    def _checked(data: bytes) -> bytes:
        return data + crc_a(data)

    def _read(self, page: int, count: int, *, wrap: bool) -> bytes:
        last = page if wrap else page + count - 1
        if last >= self.pages:
            return self.nak(NAK_ARGUMENT)
        readable = self.memory[:-8] + bytes(8)  # password and PACK always read as zero
        twice = readable + readable  # READ rolls over to page 0
        return self._checked(bytes(twice[page * 4 : (page + count) * 4]))

    def _locked(self, page: int) -> bool:
        bits = int.from_bytes(self.memory[10:12], "little")
        return page <= 15 and bool(bits >> page & 1)

    def _write(self, page: int, data: bytes) -> bytes:
        if page < 2 or page >= self.pages or (page > 2 and self._locked(page)):
            return self.nak(NAK_ARGUMENT)
        at = page * 4
        if page == 2:  # lock bits: set once, never cleared; the other two bytes are the maker's
            data = bytes((self.memory[8], self.memory[9], self.memory[10] | data[2], self.memory[11] | data[3]))
        elif page == 3:  # one-time programmable
            data = bytes(old | new for old, new in zip(self.memory[12:16], data, strict=True))
        self.memory[at : at + 4] = data
        return bytes((ACK,))


class Classic(Tag):
    """A MIFARE-Classic-like card with a 4-byte UID: found by its UID, its data closed to us."""

    sens_res = b"\x04\x00"
    sel_res = 0x08

    def __init__(self, uid: bytes) -> None:
        if len(uid) != 4:
            raise ValueError(f"a MIFARE Classic card's UID here has 4 bytes, not {len(uid)}")
        super().__init__(uid)

    def answer(self, command: bytes) -> bytes | None:
        del command
        return self.nak(NAK_AUTHENTICATION)


class Phone(Tag):
    """A phone: ISO-DEP with a random UID (08 and three bytes) that is a new one each time the field comes on."""

    sens_res = b"\x04\x00"
    sel_res = 0x20

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)
        super().__init__(self._fresh())

    def _fresh(self) -> bytes:
        return b"\x08" + self._random.randbytes(3)

    def __repr__(self) -> str:
        return "Phone()"

    def field_off(self) -> None:
        super().field_off()
        self.uid = self._fresh()

    def answer(self, command: bytes) -> bytes | None:
        if command[0] == 0xE0:  # RATS: 256-byte frames, no CID
            ats = bytes.fromhex("0578807002")
            return ats + crc_a(ats)
        if command[0] & 0xE2 == 0x02:  # an I-block with any APDU: file not found
            reply = bytes((command[0],)) + b"\x6a\x82"
            return reply + crc_a(reply)
        return None


def tag_of(uid: str | bytes, kind: int = 213) -> Tag:
    """A fitting tag for a UID: 7 bytes an NTAG, 4 bytes a MIFARE-like card, the word `phone` a phone.

    Raises ValueError with a sentence for anything else.
    """
    if isinstance(uid, str):
        if uid.lower() == "phone":
            return Phone()
        cleaned = uid.replace(":", "").replace("-", "").replace(" ", "")
        try:
            octets = bytes.fromhex(cleaned)
        except ValueError:
            raise ValueError(f"{uid!r} is no UID: write hex digits such as 04A1B2C3D4E5F6") from None
    else:
        octets = uid
    if len(octets) == 7:
        return Ntag(octets, kind)
    if len(octets) == 4:
        return Classic(octets)
    raise ValueError(f"{octets.hex().upper() or 'an empty UID'} has {len(octets)} bytes: a UID here has 4 or 7")
