"""More ways from the home screen than playing. Here: what the button says and what it opens. Not here: what is opened."""

from __future__ import annotations

from typing import Any

from companion.lobby.port import Entry
from companion.rules.view import Text
from companion.settings import Settings
from companion.table import games


def enrolment(settings: Settings, window: Any) -> Entry:
    """The way to giving figures their tags; ``window`` is the running application."""

    def press() -> None:
        from companion.devices import FIGURES, simulates  # noqa: PLC0415 - readers are loaded when they are wanted
        from companion.enrol import Enrol  # noqa: PLC0415 - as above
        from companion.tablet.enrol import show_enrol  # noqa: PLC0415 - there is a window now

        offer = next(one for one in games.offers(settings.override) if one.game == settings.game)
        enrol = Enrol(
            settings.figures or settings.data / FIGURES,
            tuple(offer.seats)[: max(offer.players)],
            game=settings.game,
            override=settings.override,
            ports=[port for port, _ in settings.readers],
            simulate=simulates(settings),
        )
        session = window.screen.session
        show_enrol(window.root, enrol, language=session.speech.lang, theme=session.theme)

    return Entry("enrol", Text("enrol.title"), press, "ui/tag")
