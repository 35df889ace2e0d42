"""The tablet's own voice: every string it shows goes through here, in the language of the table. No strings in the code."""

from __future__ import annotations

from companion.rules.view import Text
from companion.words import LANGUAGES, render


class Speech:
    """Speaks one language; the next one is a press away."""

    def __init__(self, lang: str = "en") -> None:
        self.lang = lang

    def say(self, what: Text | str | None, **args: int | str | Text) -> str:
        """A Text as it is, or the tablet's own sentence ``tablet.<what>``."""
        if what is None:
            return ""
        return render(what if isinstance(what, Text) else Text(f"tablet.{what}", args), self.lang)

    def following(self) -> str:
        """The language after this one."""
        return LANGUAGES[(LANGUAGES.index(self.lang) + 1) % len(LANGUAGES)] if self.lang in LANGUAGES else LANGUAGES[0]
