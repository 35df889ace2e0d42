"""The build step: what it makes, when it does nothing, what it says when it cannot."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from fontTools.ttLib import TTFont

TOP = Path(__file__).parents[2]
WEB = TOP / "companion/phone/web"


@pytest.fixture
def step(static: Path) -> Any:
    spec = importlib.util.spec_from_file_location("hatch_build", TOP / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def node(step: Any, *args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    binary = step.node_home() / "bin" / "node"
    return subprocess.run([str(binary), *args], cwd=WEB, env=os.environ | environment, capture_output=True, text=True, check=False)


def test_the_types_are_sound(static: Path) -> None:
    done = subprocess.run([sys.executable, str(TOP / "hatch_build.py"), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_pages_own_tests_pass_and_its_seal_agrees_with_the_vectors(step: Any) -> None:
    tests = sorted(str(path.relative_to(WEB)) for path in (WEB / "test").glob("*.test.ts"))
    done = node(step, "--test", *tests, JINMAKU_VECTORS=str(TOP / "tests/sync/vectors.json"))
    assert done.returncode == 0, done.stdout[-4000:]
    assert "# fail 0" in done.stdout


def test_what_is_served_names_its_licences_and_nothing_from_outside(static: Path) -> None:
    names = {path.name.split("-")[0].split(".")[0] for path in static.iterdir()}
    assert {"index", "app", "style", "icon", "NotoSansJP", "NotoSerifJP", "LICENSES"} <= names
    licences = (static / "LICENSES.txt").read_text(encoding="utf-8")
    for name in ("preact", "mqtt ", "mqtt-packet", "@noble/ciphers", "@noble/hashes", "SIL OPEN FONT LICENSE"):
        assert name in licences, name
    page = (static / "index.html").read_text(encoding="utf-8")
    assert "://" not in page
    assert "<style" not in page
    script = next(static.glob("app-*.js"))
    assert script.with_name(script.name + ".gz").stat().st_size < 170_000
    assert "eval(" not in script.read_text(encoding="utf-8").replace("-eval(", "")


def test_the_tablets_fonts_draw_every_letter_we_write(step: Any) -> None:
    assert (step.FONTS / "OFL.txt").read_text(encoding="utf-8").startswith("Copyright")
    for face in step.FACES:
        with TTFont(step.FONTS / f"{face}.ttf") as font:
            known = font.getBestCmap()
            missing = [letter for letter in step.written() + "Привет, 京都 いろは «—…»" if ord(letter) not in known]
        assert missing == [], face


def test_nothing_is_built_twice(step: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("something was run")

    monkeypatch.setattr(step, "node", never)
    step.make()


def test_an_installed_wheel_needs_no_sources(step: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(step, "WEB", tmp_path / "web")
    step.make()


def test_neither_page_nor_sources_is_said_in_one_sentence(step: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for place in ("WEB", "STATIC", "FONTS"):
        monkeypatch.setattr(step, place, tmp_path / place)
    with pytest.raises(step.BuildError, match="build from a whole checkout, or install a wheel"):
        step.make()


def test_an_unreachable_registry_is_named_with_the_way_out(step: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("package.json", "package-lock.json", ".npmrc"):
        (tmp_path / name).write_bytes((WEB / name).read_bytes())
    monkeypatch.setattr(step, "WEB", tmp_path)
    monkeypatch.setattr(step, "digest", lambda **_: "new")
    for name, value in {
        "registry": "http://127.0.0.1:9/",
        "fetch_retries": "0",
        "cache": str(tmp_path / "cache"),
        "prefer_offline": "false",
    }.items():
        monkeypatch.setenv(f"npm_config_{name}", value)
    with pytest.raises(step.BuildError, match="npm's registry cannot be reached"):
        step.install()


def test_the_lock_names_no_host_and_every_version_is_exact() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))
    assert all("resolved" not in package for package in lock["packages"].values())
    assert all(package.get("integrity") for name, package in lock["packages"].items() if name)
    about = json.loads((WEB / "package.json").read_text(encoding="utf-8"))
    assert all(version[0].isdigit() for version in (about["dependencies"] | about["devDependencies"]).values())


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_wheel_carries_page_fonts_and_licences_and_no_web_sources(static: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "-q", "-w", str(tmp_path), str(TOP)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    names = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
    for wanted in (
        "companion/phone/static/index.html",
        "companion/phone/static/LICENSES.txt",
        "companion/tablet/fonts/NotoSansJP-Regular.ttf",
        "companion/tablet/fonts/OFL.txt",
    ):
        assert wanted in names
    assert any(name.startswith("companion/phone/static/app-") for name in names)
    assert not [name for name in names if name.startswith("companion/phone/web/")]
