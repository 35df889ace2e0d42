"""Rising Sun: the law of the base game, up to the War Phase.

Pure: facts come in as plain dicts (``facts.parse``), commands go in, states and events come out. The Game itself is ``game.RisingSun``.
Clauses are cited as ``RS-6.5``; their own-words texts stand in ``data/clauses.toml``.
"""
