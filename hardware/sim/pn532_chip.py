"""The PN532 itself: host commands and registers on one side, tags in its field on the other.

Enough of UM0701-02 for nfcpy's driver to sense, activate, read and write type A tags. No I/O and no sleeping: what
an exchange would cost in the air is added to `air` for whoever models time. Never raises for any command bytes.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar

from hardware.sim.antenna import Antenna
from hardware.sim.tags import Tag, crc_a

SPEEDS = (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600, 1288000)
FIRMWARE = bytes.fromhex("32010607")  # a PN532 with firmware 1.6

TX_MODE, RX_MODE, TX_CONTROL, FIFO_DATA = 0x6302, 0x6303, 0x6304, 0x6339
TIMED_OUT, CRC_ERROR, CONTEXT_ERROR = b"\x01", b"\x02", b"\x27"

FIELD_RISE = 0.005
EXCHANGE = 0.0015


def uid_bits(uid: bytes) -> list[int]:
    """A UID in the order its bits go on the air, cascade tags included (least significant bit first)."""
    whole = uid if len(uid) == 4 else b"\x88" + uid
    return [octet >> bit & 1 for octet in whole for bit in range(8)]


def heard_first(tags: Sequence[Tag]) -> Tag:
    """Which of several tags anticollision ends at: at each collision the chip goes on with the ones."""
    return max(tags, key=lambda tag: uid_bits(tag.uid))


class Chip:
    """One powered PN532."""

    def __init__(self, antenna: Antenna) -> None:
        self.antenna = antenna
        self.naks = 0
        """How many of the next tag commands are answered by a NAK, whatever the tag would say."""
        self.power_up()

    def power_up(self) -> None:
        """Everything as after power came on."""
        self.speed = 115200
        self.next_speed: int | None = None
        self.asleep = False
        self.field = False
        self.air = 0.0
        self.active: Tag | None = None
        self.registers = {TX_MODE: 0x80, RX_MODE: 0x80}

    def command(self, code: int, data: bytes) -> bytes | None:
        """Carry out a host command: its answer's data, or None for a syntax error."""
        try:
            handler = self._HANDLERS.get(code)
            return handler(self, data) if handler else None
        except IndexError:  # parameters too short: the real chip calls it a syntax error too
            return None

    def confirm_speed(self) -> None:
        """The host's ACK after SetSerialBaudRate: only now the chip changes."""
        if self.next_speed is not None:
            self.speed, self.next_speed = self.next_speed, None

    # -- the house

    def _diagnose(self, data: bytes) -> bytes | None:
        if data[0] == 0x00:
            return data  # line test: the same bytes back
        return b"\x00" if data[0] <= 0x07 else None

    def _firmware(self, data: bytes) -> bytes | None:
        return None if data else FIRMWARE

    def _status(self, data: bytes) -> bytes | None:
        if data:
            return None
        target = b"\x01\x01\x00\x00\x00" if self.active else b"\x00"
        return bytes((0x00, int(self.field))) + target + b"\x00"

    def _read_register(self, data: bytes) -> bytes | None:
        if not data or len(data) % 2:
            return None
        return bytes(self.registers.get(data[at] << 8 | data[at + 1], 0) for at in range(0, len(data), 2))

    def _write_register(self, data: bytes) -> bytes | None:
        if not data or len(data) % 3:
            return None
        for at in range(0, len(data), 3):
            self.registers[data[at] << 8 | data[at + 1]] = data[at + 2]
        return b""

    def _gpio(self, data: bytes) -> bytes | None:
        return None if data else b"\xff\x07\x02"

    def _accept(self, data: bytes) -> bytes | None:
        return b"" if data else None

    def _baud_rate(self, data: bytes) -> bytes | None:
        self.next_speed = SPEEDS[data[0]]
        return b""

    def _power_down(self, data: bytes) -> bytes | None:
        del data
        self._field_off()
        self.asleep = True
        return b"\x00"

    def _rf_configuration(self, data: bytes) -> bytes | None:
        if data[0] == 0x01:
            if data[1] & 1:
                self._field_on()
            else:
                self._field_off()
        return b""

    # -- the field

    def _field_on(self) -> None:
        if not self.field:
            self.air += FIELD_RISE
        self.field = True
        self.registers[TX_CONTROL] = 0x83

    def _field_off(self) -> None:
        self.field, self.active = False, None
        self.registers[TX_CONTROL] = 0x80
        self.antenna.field_off()

    def _list_passive(self, data: bytes) -> bytes | None:
        most, kind, wanted = data[0], data[1], data[2:]
        if most not in {1, 2} or kind > 4:
            return None
        self._field_on()
        self.air += EXCHANGE
        self.active = None
        self.registers[FIFO_DATA] = 0x26  # the SENS_REQ stays in the FIFO when nobody answers it
        if kind != 0:  # type B, FeliCa, Jewel: none of those in this box
            return b"\x00"
        answering = self.antenna.sensed()
        if answering:
            self.registers[FIFO_DATA] = 0x00
        if wanted:
            uid = wanted[1:] if len(wanted) == 8 and wanted[0] == 0x88 else wanted
            answering = tuple(tag for tag in answering if tag.uid == uid)
        if not answering:
            return b"\x00"
        tag = heard_first(answering)
        self.air += EXCHANGE * (1 if len(tag.uid) == 4 else 2)
        tag.select()
        self.active = tag
        self.registers[TX_MODE] = self.registers[RX_MODE] = 0x80
        head = bytes((0x01, 0x01)) + tag.sens_res[::-1] + bytes((tag.sel_res, len(tag.uid)))
        return head + tag.uid

    def _communicate_thru(self, data: bytes) -> bytes | None:
        self.air += EXCHANGE
        if not data:
            return None
        if self.active is None:
            return CONTEXT_ERROR
        frame = data + crc_a(data) if self.registers.get(TX_MODE, 0) & 0x80 else data
        reply = self._on_the_air(self.active, frame)
        if reply is None:
            return TIMED_OUT
        if not self.registers.get(RX_MODE, 0) & 0x80:
            return b"\x00" + reply
        # with its CRC check on the chip cannot tell a 4-bit NAK from a broken frame
        if len(reply) < 3 or crc_a(reply[:-2]) != reply[-2:]:
            return CRC_ERROR
        return b"\x00" + reply[:-2]

    def _data_exchange(self, data: bytes) -> bytes | None:
        return self._communicate_thru(data[1:]) if data else None

    def _on_the_air(self, tag: Tag, frame: bytes) -> bytes | None:
        if not self.field or not self.antenna.reaches(tag):
            return None
        if self.naks:
            self.naks -= 1
            return tag.nak(0x00)
        return tag.rf(frame)

    def _release(self, data: bytes) -> bytes | None:
        return b"\x00" if data else None

    _HANDLERS: ClassVar[dict[int, Callable[["Chip", bytes], bytes | None]]] = {
        0x00: _diagnose,
        0x02: _firmware,
        0x04: _status,
        0x06: _read_register,
        0x08: _write_register,
        0x0C: _gpio,
        0x0E: _accept,
        0x10: _baud_rate,
        0x12: _accept,
        0x14: _accept,
        0x16: _power_down,
        0x32: _rf_configuration,
        0x40: _data_exchange,
        0x42: _communicate_thru,
        0x44: _release,
        0x4A: _list_passive,
        0x52: _release,
        0x54: _release,
    }
