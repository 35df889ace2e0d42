"""What the device remembers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_proto import codec
from firmware_proto.codec import Picture, Ping, Segment, Settings
from firmware_proto.firmware.store import PICTURE, REST_MS, SETTINGS, Store

RED = Picture(9, 64, (Segment(0, 3, (255, 0, 0)),))
BLUE = Picture(9, 64, (Segment(0, 3, (0, 0, 255)),))


@pytest.fixture
def at(tmp_path: Path) -> str:
    return f"{tmp_path}/"


def test_settings_come_back(at: str):
    told = Settings(0, lamps=30, first=2, reversed=True, order="rgb", cap_ma=900, brightness=10, gamma=True)
    Store(at).save(told)
    assert Store(at).settings() == told


def test_without_a_file_the_defaults_hold(at: str):
    assert Store(at).settings() == Settings()
    assert Store(at).picture() is None


def test_a_file_edited_by_hand_may_name_only_what_it_changes(at: str):
    Path(at, SETTINGS).write_text('{"lamps": 12, "wire": "uart", "comment": "mine"}')
    store = Store(at)
    assert store.settings() == Settings(lamps=12)
    assert store.wire == "uart"
    store.save(Settings(lamps=13))
    assert json.loads(Path(at, SETTINGS).read_text())["wire"] == "uart"


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "3", '{"lamps": "60"}', '{"lamps": 60.0}', '{"lamps": 0}', '{"order": 3}', '{"wire": "tin"}', '{"gamma": 1}', "\0\0\0"],
)
def test_a_file_that_makes_no_sense_is_moved_aside(at: str, text: str):
    Path(at, SETTINGS).write_text(text)
    assert Store(at).settings() == Settings()
    assert Path(at, SETTINGS + ".bad").read_text() == text
    assert not Path(at, SETTINGS).exists()


@given(st.binary(max_size=60))
def test_any_bytes_at_all_are_no_trouble(tmp_path_factory, data: bytes):
    at = f"{tmp_path_factory.getbasetemp()}/"
    Path(at, SETTINGS).write_bytes(data)
    Path(at, PICTURE).write_bytes(data)
    assert isinstance(Store(at).settings(), Settings)
    assert Store(at).picture() is None


def test_a_picture_is_written_when_it_has_stood_for_a_while(at: str):
    store = Store(at)
    for t in range(0, REST_MS, 1000):
        store.keep(RED, t)
    assert not Path(at, PICTURE).exists()
    store.keep(RED, REST_MS)
    assert Store(at).picture() == RED
    written = Path(at, PICTURE).stat().st_mtime_ns
    store.keep(RED, REST_MS * 9)
    assert Path(at, PICTURE).stat().st_mtime_ns == written


def test_a_busy_evening_does_not_wear_the_flash(at: str):
    store = Store(at)
    for t in range(0, 100_000, 5000):
        store.keep(Picture(0, t // 5000, ()), t)
    assert not Path(at, PICTURE).exists()


def test_no_picture_is_forgotten_at_once(at: str):
    store = Store(at)
    store.keep(RED, 0)
    store.keep(RED, REST_MS)
    store.keep(None, REST_MS + 1)
    assert Store(at).picture() is None
    store.keep(BLUE, REST_MS + 2)
    store.keep(None, REST_MS + 3)
    store.keep(BLUE, REST_MS + 4)
    store.keep(BLUE, REST_MS * 3)
    assert Store(at).picture() == BLUE


def test_forgetting_a_file_that_somebody_removed_is_no_trouble(at: str):
    store = Store(at)
    store.keep(RED, 0)
    store.keep(RED, REST_MS)
    Path(at, PICTURE).unlink()
    store.keep(None, REST_MS + 1)


def test_after_a_reset_the_kept_picture_is_not_written_again(at: str):
    Path(at, PICTURE).write_bytes(codec.pack(RED))
    store = Store(at)
    kept = store.picture()
    Path(at, PICTURE).unlink()
    store.keep(kept, REST_MS * 2)
    assert not Path(at, PICTURE).exists()


@pytest.mark.parametrize("data", [codec.pack(RED)[:-9], codec.pack(Ping(1)), codec.pack(RED) * 2, b"\0", b"noise"])
def test_a_picture_that_is_not_whole_is_moved_aside(at: str, data: bytes):
    Path(at, PICTURE).write_bytes(data)
    assert Store(at).picture() is None
    assert Path(at, PICTURE + ".bad").exists()


def test_a_full_flash_costs_the_memory_and_nothing_else(tmp_path: Path):
    store = Store(f"{tmp_path}/not there/")
    store.save(Settings(lamps=3))
    store.keep(RED, 0)
    store.keep(RED, REST_MS)
    store._aside(SETTINGS)
    assert store.settings() == Settings()
