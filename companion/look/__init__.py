"""The look: tokens (colours, sizes, times, lamps) and marks (drawings). A leaf: it imports nothing of the house and no Kivy.

``tokens.toml`` and ``marks/`` are the only place where a colour, size, time, lamp or drawing is written down; every screen and the LED strip
read them here.
"""

from companion.look.lamps import Lamp, lamp
from companion.look.theme import Theme
from companion.look.tokens import Tokens, tokens

__all__ = ["Lamp", "Theme", "Tokens", "lamp", "tokens"]
