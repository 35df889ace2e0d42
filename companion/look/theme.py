"""One theme's values by role: the only way a screen comes to a colour. Not here: pixels, fonts, widgets."""

from __future__ import annotations

from companion.look.tokens import Clan, tokens

INK = "#1C1815"
"""The ink every one-colour mark is drawn in; it is also the foot of a Daimyo, in both themes."""
PAPER = "#FFFCF5"
"""The paper of a Shinto's foot, in both themes."""
GILT = "#E9C87B"
"""The drawing on a Daimyo's foot."""
NOBODY = Clan(letter="?", base="#857A69", on=PAPER, weave="#CFC3AE", dye="nezumi")


class Theme:
    """``day`` or ``night`` for one game: colours by role, the clans' dyes, the tones of the state words. Equal where these are."""

    def __init__(self, name: str = "day", game: str = "") -> None:
        look = tokens()
        if name not in look.color:
            raise ValueError(f"no theme called {name!r}: choose one of {', '.join(sorted(look.color))}")
        self.name, self.game = name, game
        self.dark = name == "night"
        self._colours = look.color[name]
        self._clans = look.clan.get(game) or {seat: clan for clans in look.clan.values() for seat, clan in clans.items()}
        self._tones = look.state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Theme) and (self.name, self.game) == (other.name, other.game)

    def __hash__(self) -> int:
        return hash((self.name, self.game))

    def colour(self, role: str) -> str:
        """``#RRGGBB`` of a role (``paper``, ``ink_soft`` ...); a literal colour is given back as it is."""
        return role if role.startswith("#") else self._colours[role]

    def clan(self, seat: str) -> Clan:
        """The seat's dyes; a seat without any gets grey ones and its own first letter."""
        known = self._clans.get(seat)
        if known is not None:
            return known
        return Clan(letter=seat[:1].upper() or "?", base=NOBODY.base, on=NOBODY.on, weave=NOBODY.weave, dye=NOBODY.dye)

    def tone(self, tone: str) -> tuple[str, str, str]:
        """Colour role, wash role and mark of a state word (``act ok waiting careful refused``); an unknown word is ``waiting``."""
        state = self._tones.get(tone) or self._tones["waiting"]
        return state.color, f"{state.color}_wash", state.mark
