"""Giving tags: through the driver and the simulated chip, onto disk, on paper, and line by line."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.enrol import Enrol
from companion.enrolling import _Console
from companion.entries import enrolment
from companion.settings import Settings
from companion.table.figures import load
from companion.words import render

PHONE = "phone"


def until(what: str, true: Callable[[], Any], seconds: float = 15) -> Any:
    end = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < end, f"in vain: {what}"
        time.sleep(0.02)
    return found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "box.txt"


@pytest.fixture
def begun(file: Path) -> Iterator[Callable[..., Enrol]]:
    opened: list[Enrol] = []

    def begin(**more: Any) -> Enrol:
        opened.append(Enrol(file, ("koi", "lotus", "turtle"), simulate=True, **more))
        opened[-1].start()
        return opened[-1]

    yield begin
    for one in opened:
        one.stop()


def tapped(enrol: Enrol, uid: str = "") -> str:
    before = enrol.shown().taps
    number = enrol.simulate(uid)
    until("the tag to be seen", lambda: enrol.shown().taps > before)
    return number


def said(enrol: Enrol) -> str:
    shown = enrol.shown()
    return render(shown.said, "en") if shown.said is not None else ""


def test_tags_are_read_through_the_driver_and_are_on_disk_at_once(begun: Callable[..., Enrol], file: Path) -> None:
    heard: list[int] = []
    enrol = begun(on_change=lambda: heard.append(1))
    until("the reader", lambda: enrol.shown().tone == "ok")
    assert "is ready" in enrol.shown().reader and enrol.shown().simulated
    first = tapped(enrol)
    assert said(enrol) == "Koi Daimyo: done." and heard
    assert load(file).text().splitlines()[1:] == [f"{first} koi/daimyo"]
    enrol.skip()
    tapped(enrol, PHONE)
    assert "random number from a phone" in said(enrol)
    second = tapped(enrol)
    tapped(enrol, first)
    assert enrol.shown().machine.question is not None
    enrol.answer(yes=True)
    assert load(file).text().splitlines()[1:] == [f"{second} koi/bushi 2", f"{first} koi/bushi 3"]
    enrol.go(2)
    enrol.forget()
    enrol.back()
    assert load(file).tag(second) is None and enrol.shown().machine.at == 1


def test_it_goes_on_where_it_was_left(begun: Callable[..., Enrol], file: Path) -> None:
    enrol = begun()
    for _ in range(3):
        tapped(enrol)
    enrol.stop()
    file.write_text(file.read_text(encoding="utf-8") + "# my own words\n", encoding="utf-8")
    again = begun()
    assert again.shown().machine.done == 3 and render(again.shown().machine.item.text, "en") == "Koi Bushi 3"
    tapped(again)
    assert "# my own words" in file.read_text(encoding="utf-8")


def test_a_full_disk_loses_nothing(begun: Callable[..., Enrol], file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    enrol = begun()
    with monkeypatch.context() as full:
        full.setattr("os.fsync", lambda _file: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        tapped(enrol)
        assert said(enrol).startswith("box.txt could not be written (No space left") and enrol.shown().said_tone == "refused"
    enrol.skip()
    assert "koi/daimyo" in file.read_text(encoding="utf-8") and list(file.parent.iterdir()) == [file]


def test_the_roll_call_counts_what_is_there(begun: Callable[..., Enrol]) -> None:
    enrol = begun()
    first, second = tapped(enrol), tapped(enrol)
    enrol.check(on=True)
    assert len(enrol.shown().roll.missing()) == 2
    assert tapped(enrol) == first and said(enrol) == "Koi Daimyo is here."
    tapped(enrol, second)
    assert enrol.shown().roll.missing() == ()
    enrol.check(on=False)
    enrol.again()
    with pytest.raises(ValueError, match="rubbish"):
        enrol.simulate("rubbish")


def test_a_real_reader_has_no_simulated_tags(file: Path) -> None:
    enrol = Enrol(file, ("koi", "lotus", "turtle"), ports=["/dev/null-reader"], places=False)
    with pytest.raises(ValueError, match="a real one"):
        enrol.simulate()
    assert not any(item.place for item in enrol.items) and not file.exists()


def test_the_label_sheet_has_a_label_a_tag(begun: Callable[..., Enrol]) -> None:
    enrol = begun()
    uids = [tapped(enrol) for _ in range(2)]
    enrol.go(next(i for i, item in enumerate(enrol.items) if item.place == "edo"))
    uids.append(tapped(enrol))
    page = enrol.labels("ru").read_text(encoding="utf-8")
    assert page.count('<div class="tag">') == 3 and all(uid[-4:] in page for uid in uids)
    assert "Буси (Кои) 1" in page and "<h2>Места</h2>" in page and "http" not in page.replace("http://www.w3.org", "")


def test_line_by_line(begun: Callable[..., Enrol], file: Path) -> None:
    out = io.StringIO()
    enrol = begun()
    words = "tap\nskip\ntap\nback\ntap 04AAAAAAAAAAAA\nno\ngo edo\ngo osaka\ntap\nforget\nagain\nleft\nlabels\ncheck\ncheck\n\ntap rubbish\ndance\nquit\nskip\n"
    _Console(enrol, "en", out).run(io.StringIO(words))
    text = out.getvalue()
    for part in (
        "Tap Koi Daimyo (0 of ",
        "Koi Daimyo: done.",
        "[yes: Use the new tag; no: Keep the old tag]",
        "Nothing was changed.",
        "There is no piece called 'osaka'",
        "Edo: done.",
        "Still without a tag: Koi Bushi 1; ",
        " and ",
        "The label sheet is ",
        "Not seen yet: Koi Daimyo; ",
        "That could not be done: 'rubbish'",
    ):
        assert part in text, part
    assert text.count("You may type:") == 2 and file.with_suffix(".labels.html").exists()


def run(*words: str, typed: str = "quit\n", monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return main(["enrol", *words])


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    box = tmp_path / "box.txt"
    common = ("--figures", str(box), "--seats", "koi,lotus,turtle")
    assert run(*common, "--sim", "--headless", typed="tap\ntap\n", monkeypatch=monkeypatch) == 0
    assert "holds everything that was tapped" in capsys.readouterr().out and len(load(box)) == 2
    assert run(*common, "--missing", monkeypatch=monkeypatch) == 1
    assert "Koi Bushi 2\n" in capsys.readouterr().out
    assert run(*common, "--labels", str(tmp_path / "l.html"), monkeypatch=monkeypatch) == 0
    assert "l.html" in capsys.readouterr().out and (tmp_path / "l.html").stat().st_size > 2000
    assert run(*common, "--sim", "--check", "--headless", "--language", "ru", monkeypatch=monkeypatch) == 0
    assert "Ещё не видели: Даймё (Кои)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--figures", "{0}", "--game", "chess"), "no game called 'chess'"),
        (("--figures", "{0}", "--seats", "sun,koi,lotus"), "there is no Clan sun"),
        (("--figures", "{1}"), "line 1"),
        (("--figures", "{0}", "--missing"), "cannot be read"),
        (("--figures", "{0}", "--reader", "serial:"), "serial"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(
    words: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.txt").write_text("nonsense\n", encoding="utf-8")
    given = [word.format(tmp_path / "new.txt", tmp_path / "bad.txt") for word in words]
    assert run(*given, "--headless", monkeypatch=monkeypatch) == 2
    assert sentence in capsys.readouterr().err


def test_the_home_screen_has_a_way_to_it(tmp_path: Path) -> None:
    way = enrolment(Settings(data=tmp_path), None)
    assert (way.id, render(way.text, "en"), render(way.text, "ru")) == ("enrol", "Tags for the figures", "Метки для фигур")
