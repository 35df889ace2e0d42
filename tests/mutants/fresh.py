"""Loaded by the mutants run alone: what rooms keep is thrown away before every test, or a test would read what another had made."""

from __future__ import annotations

import sys

from companion.rules.rising_sun.kept import Kept

HOME = "companion.rules.rising_sun."


def pytest_runtest_setup() -> None:
    for name, module in tuple(sys.modules.items()):
        if name.startswith(HOME):
            for thing in vars(module).values():
                if isinstance(thing, Kept):
                    thing.clear()
                elif hasattr(thing, "cache_clear"):
                    thing.cache_clear()
