"""Where readers are looked for, and which ports are left alone."""

import sys
import types

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.nfc import discovery
from hardware.nfc.discovery import Candidate, Find, search


def port(device, vid=0x0403, description="USB UART", serial=None, location=None):
    return types.SimpleNamespace(device=device, vid=vid, description=description, serial_number=serial, location=location)


PORTS = [
    port("/dev/ttyUSB10", serial="A50285BI", location="1-1.4"),
    port("/dev/ttyUSB2", 0x1A86, location="1-1.1"),
    port("/dev/ttyACM0", 0x2E8A, "Pico", serial="E66", location="1-1.2"),
    port("/dev/ttyUSB1", 0x10C4, "Sonoff Zigbee 3.0 USB Dongle", serial="Z", location="1-1.3"),
    port("/dev/ttyS0", None, "n/a"),
]
SCL3711, RCS380 = (0x04E6, 0x5591, 1, 7), (0x054C, 0x06C3, 2, 23)


def look(find, **options):
    options = {"ports": lambda: PORTS, "usb": lambda: [SCL3711, RCS380], "exists": lambda path: path == "/dev/ttyUSB0"} | options
    return search(Find.parse(find), **options)


def devices(found):
    return [candidate.device for candidate in found.candidates]


@pytest.mark.parametrize(
    ("text", "find"),
    [
        ("auto", Find("auto")),
        ("/dev/ttyUSB0", Find("port", "/dev/ttyUSB0")),
        ("/dev/serial/by-id/usb-FTDI_x-if00", Find("port", "/dev/serial/by-id/usb-FTDI_x-if00")),
        ("COM3", Find("port", "COM3")),
        ("tty:USB0:pn532", Find("port", "/dev/ttyUSB0")),
        ("tty:AMA0", Find("port", "/dev/ttyAMA0")),
        ("com:COM3:pn532", Find("port", "COM3")),
        ("usb", Find("usb")),
        ("usb:054C:06c3", Find("usb", "054c:06c3")),
        ("serial:A50285BI", Find("serial", "A50285BI")),
        ("socket:1-1.4", Find("socket", "1-1.4")),
    ],
)
def test_every_way_to_say_where_is_understood(text, find):
    assert Find.parse(text) == find


@pytest.mark.parametrize(
    "text", ["", "usb:1:2:3", "serial:", "udp:localhost:54321", "/dev/ttyUSB0; rm -rf ~", "/dev/$(reboot)", "/dev/tty USB0", "COMX"]
)
def test_anything_else_is_refused_with_what_to_write(text):
    with pytest.raises(ValueError, match=r"write auto, a port|may hold only"):
        Find.parse(text)


@given(st.text(max_size=20) | st.from_regex(r"(/dev/|usb:|tty:|serial:).{0,10}", fullmatch=True))
def test_no_text_gets_past_with_a_port_name_a_shell_could_misread(text):
    try:
        find = Find.parse(text)
    except ValueError:
        return
    if find.kind == "port":
        assert not set(find.value) & set(" ;&|$`<>(){}'\"\\*?!#~\n\t")


def test_auto_takes_usb_readers_and_uart_adapters_and_says_what_it_left_alone():
    found = look("auto")
    assert devices(found) == ["usb:001:007", "usb:002:023", "/dev/ttyUSB2", "/dev/ttyUSB10"]
    assert [candidate.named for candidate in found.candidates] == [True, True, False, False]
    assert {str(said.args["device"]) for said in found.passed_over} == {"/dev/ttyS0", "/dev/ttyACM0", "/dev/ttyUSB1"}


def test_blocked_ports_are_not_touched_in_any_way_of_looking():
    assert devices(look("auto", block=["/dev/ttyUSB*"])) == ["usb:001:007", "usb:002:023"]
    found = look("socket:1-1.4", block=["/dev/ttyUSB10"])
    assert found.candidates == ()
    assert [said.key for said in found.passed_over] == ["blocked"]


def test_a_reader_bound_to_a_socket_or_a_serial_number_is_found_under_any_port_name():
    assert look("serial:A50285BI").candidates == (Candidate("/dev/ttyUSB10", named=True),)
    assert look("socket:1-1.2").candidates == (Candidate("/dev/ttyACM0", named=True),)  # the owner has said so
    assert look("socket:9-9").candidates == ()


def test_a_usb_reader_by_maker_and_model():
    assert devices(look("usb")) == ["usb:001:007", "usb:002:023"]
    assert devices(look("usb:054c")) == ["usb:002:023"]
    assert devices(look("usb:04e6:5591")) == ["usb:001:007"]
    assert devices(look("usb:04e6:5593")) == []
    assert look("usb").candidates[0].usb


def test_a_named_port_is_absent_until_it_is_there():
    assert look("/dev/ttyUSB0").candidates == (Candidate("/dev/ttyUSB0", named=True),)
    assert look("COM7").candidates == (Candidate("COM7", named=True),)
    assert [said.key for said in look("/dev/ttyUSB9").passed_over] == ["absent"]


def test_a_missing_libusb_is_said_only_to_who_wants_usb():
    def none():
        raise FileNotFoundError("libusb-1.0.so")

    assert [said.key for said in look("usb", usb=none).passed_over] == ["no_libusb"]
    assert devices(look("auto", usb=none)) == ["/dev/ttyUSB2", "/dev/ttyUSB10"]


def test_the_real_machine_can_be_looked_at():
    assert isinstance(discovery.serial_ports(), list)
    try:
        assert isinstance(discovery.usb_readers(), list)
    except OSError:
        pytest.skip("no libusb here")


def test_nfcpy_is_loaded_only_where_one_of_its_readers_is_plugged_in(tmp_path, monkeypatch):
    from nfc.clf.device import usb_device_map

    assert set(usb_device_map) == discovery.USB_MODELS
    assert discovery.usb_plugged(tmp_path / "no sysfs") is None
    assert discovery.usb_plugged(tmp_path) == set(), "a machine without USB"
    for name, maker, model in (("usb1", "1d6b", "0002"), ("1-1", "04e6", "5591"), ("1-1:1.0", None, None), ("1-2", "soon", "gone")):
        folder = tmp_path / "usb" / "devices" / name
        folder.mkdir(parents=True)
        if maker and model:
            (folder / "idVendor").write_text(f"{maker}\n")
            (folder / "idProduct").write_text(f"{model}\n")
    assert discovery.usb_plugged(tmp_path) == {(0x1D6B, 0x0002), (0x04E6, 0x5591)}
    monkeypatch.setattr(discovery, "usb_plugged", lambda: {(0x1D6B, 0x0002)})
    monkeypatch.setitem(sys.modules, "nfc.clf.device", None)
    assert discovery.usb_readers() == []
