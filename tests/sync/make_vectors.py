"""Writes vectors.json: one whole conversation with fixed keys and nonces, and frames that must be refused.

Python and the phone's TypeScript are held to the same bytes. ``python tests/sync/make_vectors.py`` writes the file anew; a test
says when it no longer agrees with the code.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_encrypt as encrypt

from companion.sync import sealing
from companion.sync.sealing import Bond, Channel, Frame

FILE = Path(__file__).with_name("vectors.json")
GAME, SEAT, EPOCH = "k3y5game", "koi", 258
KEY = bytes(range(32))
PHONE = bytes(range(100, 116))
REFEREE = bytes(range(200, 216))
BOND = Bond(GAME, SEAT, EPOCH, KEY)

ABOUT = (
    "Everything binary is hex, but for base64url without padding inside JSON and URLs. 'script' is one connection in order; each frame is "
    "version u8 | epoch u16 | counter u64 | nonce 24 | ciphertext, big endian. 'associated' and 'plain' are what goes into "
    "XChaCha20-Poly1305-IETF. 'refused' are frames from the referee that the phone of this bond must not accept after 'last' opened frames "
    "(its connection nonces are the ones above); 'awaits' says whether it then still waits for its welcome."
)


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def seeded(first: int) -> Any:
    """Nonces that any language can write down: 24 bytes counting up from ``first``."""
    return lambda n: bytes((first + i) % 256 for i in range(n))


def script() -> list[dict[str, Any]]:
    up = Channel(BOND, "u", (PHONE, REFEREE))
    down = Channel(BOND, "d", (PHONE, REFEREE), floor=sealing.SMALLEST)  # any power of two opens, and this one keeps the file short
    long = "\u7d05\u96e8" * 700  # over 1 kB of UTF-8, so that the padding takes the next power of two
    steps: list[tuple[str, str, dict[str, Any]]] = [
        ("hello", "u", {"t": "hello", "proto": 1, "lang": "en", "nonce": b64(PHONE)}),
        (
            "welcome",
            "d",
            {
                "t": "welcome",
                "nonce": b64(REFEREE),
                "revision": 12,
                "stamp": 9,
                "seat": SEAT,
                "view": {"title": "Political Phase"},
                "answer": None,
                "waiting": False,
            },
        ),
        ("ready", "u", {"t": "ready"}),
        ("view", "d", {"t": "view", "revision": 13, "stamp": 9, "seat": SEAT, "view": {"title": long}, "answer": None, "waiting": False}),
        ("order", "u", {"t": "order", "id": "o-1", "stamp": 9, "command": {"do": "done", "seat": SEAT}}),
        ("empty", "d", {}),
    ]
    out = []
    counters = {"u": 0, "d": 0}
    for i, (name, way, message) in enumerate(steps):
        content = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
        random = seeded(16 * i)
        if name == "hello":
            nonces = (sealing.UNKNOWN, sealing.UNKNOWN)
            data = sealing.seal_hello(BOND, content, random=random)
        elif name == "welcome":
            nonces = (PHONE, sealing.UNKNOWN)
            data = sealing.seal_welcome(BOND, PHONE, content, random=random, floor=sealing.SMALLEST)
        else:
            nonces = (PHONE, REFEREE)
            channel = up if way == "u" else down
            channel._random = random
            data = channel.seal(content)
            counters[way] += 1
        counter = 0 if name in {"hello", "welcome"} else counters[way]
        topics = sealing.Topics(GAME)
        out.append(
            {
                "name": name,
                "direction": way,
                "topic": topics.up(SEAT) if way == "u" else topics.down(SEAT),
                "counter": counter,
                "nonce": random(24).hex(),
                "content": content.decode(),
                "plain": sealing.pad(content).hex(),
                "associated": sealing.associated(BOND, way, counter, nonces).hex(),
                "frame": data.hex(),
            }
        )
    return out


def refused() -> list[dict[str, Any]]:
    content = b'{"t":"view"}'

    def down(bond: Bond = BOND, nonces: tuple[bytes, bytes] = (PHONE, REFEREE), count: int = 1) -> bytes:
        channel = Channel(bond, "d", nonces, random=seeded(7), floor=sealing.SMALLEST)
        for _ in range(count - 1):
            channel.seal(b"")
        return channel.seal(content)

    def raw(plain: bytes) -> bytes:
        box = encrypt(plain, sealing.associated(BOND, "d", 1, (PHONE, REFEREE)), seeded(7)(24), KEY)
        return Frame(EPOCH, 1, seeded(7)(24), box).encode()

    good = down()
    flipped = bytearray(good)
    flipped[300] ^= 1
    counted = bytearray(good)
    counted[10] = 5
    other = bytes(reversed(KEY))
    cases: list[tuple[str, int, bool, bytes]] = [
        ("nothing", 0, False, b""),
        ("cut off", 0, False, good[:-1]),
        ("another version", 0, False, b"\3" + good[1:]),
        ("one bit flipped", 0, False, bytes(flipped)),
        ("counter changed outside", 0, False, bytes(counted)),
        ("repeated", 1, False, good),
        ("late", 2, False, good),
        ("another key", 0, False, down(Bond(GAME, SEAT, EPOCH, other))),
        ("another seat", 0, False, down(Bond(GAME, "lotus", EPOCH, KEY))),
        ("another epoch", 0, False, down(Bond(GAME, SEAT, EPOCH + 1, KEY))),
        ("another game", 0, False, down(Bond("othergam", SEAT, EPOCH, KEY))),
        ("another phone nonce", 0, False, down(nonces=(REFEREE, REFEREE))),
        ("another referee nonce", 0, False, down(nonces=(PHONE, PHONE))),
        ("the wrong direction", 0, False, Channel(BOND, "u", (PHONE, REFEREE), random=seeded(7)).seal(content)),
        ("a welcome to an earlier hello", 0, True, sealing.seal_welcome(BOND, REFEREE, content, random=seeded(7), floor=sealing.SMALLEST)),
        ("a view before the welcome", 0, True, good),
        ("a second welcome", 0, False, sealing.seal_welcome(BOND, PHONE, content, random=seeded(7), floor=sealing.SMALLEST)),
        ("padding not zero", 0, False, raw(sealing.pad(content)[:-1] + b"\1")),
        ("length over the end", 0, False, raw(b"\0\0\4\0" + bytes(1020))),
        ("padding not a power of two", 0, False, raw(sealing.pad(content) + bytes(512))),
    ]
    return [{"name": name, "last": last, "awaits": awaits, "frame": frame.hex()} for name, last, awaits, frame in cases]


def vectors() -> dict[str, Any]:
    fragment = f"1.{GAME}.{SEAT}.{EPOCH}.{b64(KEY)}"
    return {
        "about": ABOUT,
        "bond": {"game": GAME, "seat": SEAT, "epoch": EPOCH, "key": KEY.hex()},
        "fragment": fragment,
        "url": f"http://192.0.2.7:8788/#{fragment}",
        "user": f"{SEAT}.{EPOCH}",
        "password": sealing.mqtt_password(KEY),
        "phone": PHONE.hex(),
        "referee": REFEREE.hex(),
        "script": script(),
        "refused": refused(),
        "bad_fragments": [
            "",
            "1",
            "2." + fragment[2:],
            fragment[:-1],
            fragment + "A",
            fragment.replace(GAME, "K3Y5GAME"),
            fragment.replace("258", "65536"),
            fragment.replace("258", "02"),
            fragment.replace(SEAT, "ko/i"),
            fragment + ".x",
        ],
    }


def text() -> str:
    return json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
