"""Whose fault it is, and the one command that mends it."""

import errno
import grp
import os
import pwd
import types

import pytest

from hardware.nfc import trouble
from hardware.nfc.said import said
from hardware.nfc.trouble import FrontError, Holder, busy, denied, explain, holders, node


@pytest.fixture
def proc(tmp_path):
    """A /proc in which `pcscd` holds a USB node, `minicom` a port, and one process is closed to us."""

    def process(pid, name, *links):
        folder = tmp_path / "proc" / str(pid) / "fd"
        folder.mkdir(parents=True)
        (folder.parent / "comm").write_text(name + "\n")
        for number, link in enumerate(links):
            (folder / str(number)).symlink_to(link)

    process(12, "minicom", "/dev/null", "/dev/ttyUSB0")
    process(7, "pcscd", "/dev/bus/usb/001/023")
    process(os.getpid(), "ourselves", "/dev/ttyUSB0", "/dev/ttyUSB3")
    (tmp_path / "proc" / "99").mkdir()
    (tmp_path / "proc" / "self").mkdir()
    return tmp_path / "proc"


def test_other_holders_are_found_by_pid_and_name(proc):
    assert holders("/dev/ttyUSB0", proc) == (Holder(12, "minicom"),)
    assert holders("usb:001:023", proc) == (Holder(7, "pcscd"),)
    assert holders("/dev/ttyUSB1", proc) == ()
    assert holders("/dev/ttyUSB0", proc / "none") == ()
    assert node("usb:001:023") == "/dev/bus/usb/001/023"


def test_a_busy_port_names_its_holder_and_the_way_out(proc, tmp_path):
    modules = tmp_path / "module"
    assert busy("/dev/ttyUSB0", proc).text == (
        "/dev/ttyUSB0 is used by another process: minicom (process 12). End it and the reader is taken up by itself."
    )
    assert busy("/dev/ttyUSB3", proc).text == "/dev/ttyUSB3 belongs to another device of this table."
    assert "systemctl stop pcscd" in busy("usb:001:023", proc).text
    assert busy("usb:001:024", proc, modules).text.endswith("`sudo fuser -v /dev/bus/usb/001/024` names it.")
    (modules / "pn533_usb").mkdir(parents=True)
    assert "modprobe -r pn533_usb" in busy("usb:001:024", proc, modules).text


class Device:
    """A device file of a group, seen by a user."""

    def __init__(self, monkeypatch, *, mode=0o20660, gid=20, group="dialout", members=(), session=()):
        monkeypatch.setattr(trouble.Path, "stat", lambda _self: types.SimpleNamespace(st_gid=gid, st_mode=mode))
        entry = types.SimpleNamespace(gr_name=group, gr_gid=gid, gr_mem=list(members))
        monkeypatch.setattr(grp, "getgrgid", lambda _gid: entry)
        monkeypatch.setattr(pwd, "getpwuid", lambda _uid: types.SimpleNamespace(pw_name="hana"))
        monkeypatch.setattr(os, "getgroups", lambda: list(session))


def test_no_permission_names_the_group_of_this_very_device(monkeypatch):
    Device(monkeypatch, group="uucp", gid=14)
    assert denied("/dev/ttyUSB0").text == ("No permission for /dev/ttyUSB0: run `sudo usermod -aG uucp hana`, then log out and in again.")


def test_who_is_in_the_group_already_has_only_to_log_in_again(monkeypatch):
    Device(monkeypatch, members=["hana"])
    assert denied("/dev/ttyUSB0").text.endswith("hana is in the group dialout already, so log out and in again.")


@pytest.mark.parametrize("how", [{"mode": 0o20600}, {"gid": 0, "group": "root"}])
def test_a_device_no_group_may_use_is_opened_by_its_mode(monkeypatch, how):
    Device(monkeypatch, **how)
    assert "`sudo chmod a+rw /dev/ttyUSB0`" in denied("/dev/ttyUSB0").text


def test_a_device_that_has_gone_meanwhile_still_gets_a_command():
    assert "sudo chmod" in denied("/dev/no-such-port").text


def test_a_usb_reader_needs_a_udev_rule():
    assert "/etc/udev/rules.d/70-jinmaku-nfc.rules" in denied("usb:001:023").text


@pytest.mark.parametrize(
    ("error", "key", "fatal"),
    [
        (PermissionError(errno.EACCES, "no"), "denied_here", True),
        (OSError(errno.EBUSY, "busy"), "busy_unknown", True),
        (BlockingIOError(errno.EAGAIN, "locked"), "busy_unknown", True),
        (FileNotFoundError(errno.ENOENT, "gone"), "lost", True),
        (OSError(errno.EIO, "broken"), "lost", False),
        (OSError(errno.ETIMEDOUT, "silence"), "silent", False),
        (OSError(errno.ENOSPC, "odd"), "failed", False),
        (ZeroDivisionError(), "failed", False),
    ],
)
def test_every_failure_becomes_one_sentence(monkeypatch, error, key, fatal):
    monkeypatch.setattr(trouble, "holders", lambda *_: ())
    monkeypatch.setattr(trouble, "_KERNEL_DRIVERS", ())
    found = explain(error, "/dev/no-such-port")
    assert (found.said.key, found.fatal) == (key, fatal)
    assert str(found) == found.said.text


def test_what_is_explained_already_stays_so():
    error = FrontError(said("silent", device="x"))
    assert explain(error, "y") is error
