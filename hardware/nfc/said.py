"""What readers have to say to people: a key with arguments, and the English sentence.

The table may put the same keys into another language; here nothing but the words lives.
"""

import msgspec

SENTENCES = {
    # the search
    "starting": "The reader has not been looked for yet.",
    "none": "No reader found yet. Plug one in at any time, or name its port.",
    "absent": "Nothing is plugged in at {device}.",
    "opening": "Opening {device}.",
    "handshaking": "Asking {device} whether it is a reader.",
    "ready": "{model} at {device} is ready.",
    "stopped": "The reader is switched off.",
    "held": "{device} belongs to {holder}.",
    "unlikely": "{device} is no known UART adapter and was left alone; if the reader is there, name this port.",
    "blocked": "{device} is on the list of ports to leave alone.",
    "no_libusb": "USB readers need the library libusb: run `sudo apt-get install libusb-1.0-0`.",
    # what goes wrong
    "silent": "Nothing answers at {device}: is the reader powered, its TX on our RX, and are its switches set to HSU (UART)?",
    "stranger": "What answers at {device} is no PN532 reader.",
    "talker": "What is at {device} talks unasked, so it is no reader and was left alone.",
    "garbled": "The answers from {device} are garbled: check the cable, the ground wire and the power supply.",
    "denied": "No permission for {device}: run `{command}`, then log out and in again.",
    "denied_session": "No permission for {device} yet: {user} is in the group {group} already, so log out and in again.",
    "denied_usb": "No permission for {device}: run `{command}`, then plug the reader in again.",
    "denied_here": "No permission for {device}: run `{command}` (until it is plugged in again).",
    "busy": "{device} is used by another process: {holder}. End it and the reader is taken up by itself.",
    "busy_pcscd": "{device} is used by the PC/SC service (process {pid}): run `sudo systemctl stop pcscd.socket pcscd`.",
    "busy_kernel": "{device} is held by the kernel's own NFC driver: run `sudo modprobe -r {module}`.",
    "busy_unknown": "{device} is used by another process of another user: `sudo fuser -v {device}` names it.",
    "lost": "The reader at {device} is gone. The game goes on, and the reader is taken up when it comes back.",
    "lost_often": "The reader at {device} is gone, lost {drops} times already: check its cable and hub.",
    "failed": "The reader at {device} failed: {error}.",
    "noisy": "Only {percent} % of the questions to {device} are answered cleanly: check cable and power supply.",
    # tags
    "phone": "{uid} is a random number from a phone or a bank card, and another one each time: it cannot mark a figure. Use an NTAG213.",
    "cut_uid": "{uid} is the first half of a longer number: this reader cannot read 7-byte tags (a fault of some PN532 copies).",
    "odd_uid": "{uid} has {size} bytes; a tag's number has 4, 7 or 10.",
    "four_bytes": "{uid} has only 4 bytes, and such numbers are given out twice: it works as long as no other tag here has the same.",
}


class Said(msgspec.Struct, frozen=True):
    """One thing to tell: `text` is the English sentence."""

    key: str
    args: dict[str, str | int] = {}

    @property
    def text(self) -> str:
        return SENTENCES[self.key].format_map(self.args)

    def __str__(self) -> str:
        return self.text


def said(key: str, **args: str | int) -> Said:
    """Say the sentence `key`."""
    return Said(key, args)
