"""Tag numbers: how they are written, and which are fit to mark a figure. Pure."""

import enum

import msgspec

from hardware.nfc.said import Said, said


class Verdict(enum.StrEnum):
    """How far a tag can be trusted to be itself."""

    GOOD = "good"
    CAREFUL = "careful"
    """Usable; the table should be told why not gladly."""
    REFUSED = "refused"


class Check(msgspec.Struct, frozen=True):
    """The judgement on one UID, with the reason unless it is good."""

    uid: str
    verdict: Verdict
    said: Said | None = None


def uid_text(uid: bytes) -> str:
    """A UID as everybody writes it: upper-case hex, no separators."""
    return uid.hex().upper()


def uid_bytes(text: str) -> bytes:
    """The bytes of a written UID; blanks, colons and dashes are overlooked. ValueError says what is wrong."""
    cleaned = "".join(text.split()).replace(":", "").replace("-", "")
    try:
        uid = bytes.fromhex(cleaned)
    except ValueError:
        raise ValueError(f"{text!r} is no tag number: it is written in hex digits, such as 04A1B2C3D4E5F6") from None
    if len(uid) not in {4, 7, 10}:
        raise ValueError(f"{text!r} has {len(uid)} bytes; a tag's number has 4, 7 or 10")
    return uid


def check(uid: bytes) -> Check:
    """Judge a UID as a reader saw it.

    >>> check(bytes.fromhex("04A1B2C3D4E5F6")).verdict
    <Verdict.GOOD: 'good'>
    """
    text = uid_text(uid)
    if len(uid) not in {4, 7, 10}:
        return Check(text, Verdict.REFUSED, said("odd_uid", uid=text or "Nothing", size=len(uid)))
    if len(uid) > 4:
        return Check(text, Verdict.GOOD)
    if uid[0] == 0x08:  # ISO 14443-3: the number is random
        return Check(text, Verdict.REFUSED, said("phone", uid=text))
    if uid[0] == 0x88:  # the cascade tag never starts a whole number
        return Check(text, Verdict.REFUSED, said("cut_uid", uid=text))
    return Check(text, Verdict.CAREFUL, said("four_bytes", uid=text))
