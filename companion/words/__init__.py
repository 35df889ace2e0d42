"""What rules say, in the reader's language.

Here: catalogues (``locale/<language>/*.po``) and the turning of ``Text`` into finished words. Not here: what is said (rules and table
choose keys and arguments), or any screen.
"""

from __future__ import annotations

from companion.words.catalogue import LANGUAGES, PSEUDO, nearest
from companion.words.rendering import Memo, render, rendered

__all__ = ["LANGUAGES", "PSEUDO", "Memo", "nearest", "render", "rendered"]
