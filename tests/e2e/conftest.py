"""A browser for the phones of a table; whatever their pages complain of fails the test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from e2e.phones import Browser


@pytest.fixture
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser
        assert browser.errors == []
