"""What rules once did otherwise. A game that began with the old way goes on so, and its record says it; nobody is offered it.

Here: those ways as options, and which of them earlier records mean. Not here: readings that are offered (``setup``, ``offer``).
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.rising_sun.state import Here

OPENS, ASKED, AT_ONCE = "war_opens", "asked", "at_once"
OPTIONS: Mapping[str, tuple[str, ...]] = {OPENS: (ASKED, AT_ONCE)}
"""Options and their values, that of today first."""
FORMER: Mapping[str, str] = {OPENS: AT_ONCE}
"""What a game means that says nothing of them: it began under rules 1 or 2, where the War followed the third Kami Turn at once."""
LAST = 2


def former(rules: int) -> Mapping[str, str]:
    """See ``companion.rules.game.Aged``."""
    return FORMER if rules <= LAST else {}


def told(options: Mapping[str, str]) -> Mapping[str, str]:
    """The options of a game with what it leaves unsaid."""
    return {**FORMER, **options}


def waits_for_war(s: Here) -> bool:
    """The table is asked before the War begins: what the third Kami Turn has brought may still be given (RS-2N.3, 7.6), where anybody has anything."""
    return s.options.get(OPENS) == ASKED and (any(s.coins.values()) or any(s.ronin.values()))
