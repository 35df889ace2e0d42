"""The start in two steps: ports and codes first, so that a picture can be shown; server and devices after it."""

from __future__ import annotations

import logging
import socket
import threading
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import pace
from companion.service import CannotStandError, Service
from companion.settings import Settings
from companion.sync.listening import doorway
from sync.phone import Phone

Made = Callable[..., Service]


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Made]:
    """Houses that are not started yet."""
    houses: list[Service] = []

    def make(**more: Any) -> Service:
        wanted: dict[str, Any] = {"port": 0, "simulate": False, "new": True} | more
        houses.append(Service(Settings(data=tmp_path, host="127.0.0.1", headless=True, addresses=("127.0.0.1",), **wanted)))
        return houses[-1]

    yield make
    for house in houses:
        house.stop()


def test_a_phone_that_comes_before_the_server_waits_and_gets_its_page_and_its_seat(made: Made) -> None:
    house = made()
    house.start(serve=False)
    assert house.sitting is not None
    code = house.sitting.join("koi")
    got: list[int] = []

    def read() -> None:
        with urllib.request.urlopen(f"http://127.0.0.1:{house.port}/", timeout=30) as answer:
            got.append(answer.status)

    early = threading.Thread(target=read, daemon=True)
    early.start()
    with Phone(code, "127.0.0.1", house.port, transport="websockets") as phone:
        assert house.sitting.phones()["koi"] == "vacant" and not got
        assert [line.id for line in house.sitting.health()] == ["broker"] and not house.sitting.tags() and not house.sitting.sim_table
        house.serve()
        house.serve()  # once is enough
        early.join(30)
        assert got == [200]
        phone.wait_online()
    assert [line.id for line in house.sitting.health()] == ["broker", "reader.reader", "track"]


def test_what_is_told_before_the_devices_are_there_names_none(made: Made) -> None:
    house = made()
    house.start(serve=False)
    assert house.told()["devices"] == []


def test_a_port_that_is_taken_is_said_at_once_and_no_game_is_left_behind(made: Made) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other, pytest.raises(CannotStandError, match=r"port \d+ is in use"):
        made(port=other.getsockname()[1]).start(serve=False)
    house = made(new=False)
    house.start(home=True)
    assert house.home().saved == ()


def test_a_doorway_of_which_one_half_is_taken_leaves_the_other_free() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with socket.create_server(("127.0.0.1", 0)) as other, pytest.raises(OSError, match="cannot serve MQTT over TCP"):
        doorway("127.0.0.1", port, other.getsockname()[1])
    socket.create_server(("127.0.0.1", port)).close()


def test_what_was_asked_of_devices_is_checked_before_anything_is_shown(made: Made, tmp_path: Path) -> None:
    with pytest.raises(CannotStandError, match="--reader /dev/null=atlantis"):
        made(readers=(("/dev/null", "atlantis"),)).start(serve=False)
    register = tmp_path / "figures.txt"
    register.write_text("this is no tag\n")
    with pytest.raises(CannotStandError, match="line 1"):
        made(figures=register).start(serve=False)
    house = made(new=False)
    house.start(home=True)
    assert house.home().saved == ()


def test_devices_that_fail_later_end_the_start_and_the_game_that_never_stood(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    house = made()
    house.start(serve=False)
    monkeypatch.setattr("companion.devices.Devices.start", lambda _self: (_ for _ in ()).throw(OSError(5, "the strip is on fire")))
    with pytest.raises(CannotStandError, match="the strip is on fire"):
        house.serve()
    assert house.sitting is None and house.home().saved == ()


def test_a_house_that_was_ended_is_not_served_any_more(made: Made, caplog: pytest.LogCaptureFixture) -> None:
    house = made()
    house.start(serve=False)
    port = house.port
    house.stop()
    with caplog.at_level(logging.WARNING):
        house.serve()
    assert house.sitting is None and not caplog.records
    socket.create_server(("127.0.0.1", port)).close()


def test_a_game_opened_before_the_house_is_served_is_served_with_it(made: Made) -> None:
    house = made(new=False)
    house.start(home=True, serve=False)
    assert house.sitting is None
    house.open_default()
    assert house.sitting is not None and not house.sitting.tags()
    house.serve()
    assert house.sitting.devices.health()


def test_garbage_is_looked_for_once_the_program_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []
    for name in ("disable", "collect", "enable", "freeze", "set_threshold"):
        monkeypatch.setattr(f"companion.pace.gc.{name}", lambda *_, name=name: called.append(name))
    monkeypatch.setattr("companion.pace.sys.setswitchinterval", lambda _: called.append("switch"))
    pace.prompt()
    assert called == ["switch", "set_threshold"]
    pace.prompt(coming_up=True)
    assert "disable" in called and "enable" not in called
    pace.settled()
    assert called[-4:] == ["collect", "freeze", "set_threshold", "enable"]
