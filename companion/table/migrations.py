"""The journal's schema, one numbered step after another. A step that was ever released is never changed: append a new one.

``PRAGMA user_version`` says how many steps a file has taken.
"""

from __future__ import annotations

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE games (
            id TEXT PRIMARY KEY,
            game TEXT NOT NULL,
            rules INTEGER NOT NULL,      -- the game's rules version when it began
            facts_hash TEXT NOT NULL,
            facts BLOB NOT NULL,         -- the merged facts themselves, compressed JSON; empty: not kept
            seats TEXT NOT NULL,         -- JSON list, clockwise
            options TEXT NOT NULL,       -- JSON object
            created INTEGER NOT NULL,    -- Unix seconds
            ended INTEGER                -- NULL: it goes on
        ) STRICT""",
        """CREATE TABLE rows (
            game TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
            revision INTEGER NOT NULL,   -- 0 is the start, before any command
            seat TEXT NOT NULL,
            order_id TEXT,               -- NULL: not an order (the start, chance, time)
            command BLOB NOT NULL,       -- JSON
            state BLOB NOT NULL,         -- the whole state after it, compressed JSON
            events BLOB NOT NULL,        -- JSON
            answer BLOB NOT NULL,        -- JSON: what that seat was answered
            stamps TEXT NOT NULL,        -- JSON: seat -> revision at which its question last changed
            made INTEGER NOT NULL,       -- Unix seconds
            PRIMARY KEY (game, revision),
            UNIQUE (game, seat, order_id)
        ) STRICT""",
        """CREATE TABLE seat_keys (
            game TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
            seat TEXT NOT NULL,
            epoch INTEGER NOT NULL,
            key BLOB NOT NULL,
            held INTEGER NOT NULL,
            PRIMARY KEY (game, seat, epoch)
        ) STRICT""",
    ),
    (
        # play | correct | undo | redo | note (a word of the table that changes no state)
        "ALTER TABLE rows ADD COLUMN sort TEXT NOT NULL DEFAULT 'play'",
        # undo, redo: the row whose state stands again; play: the cancelled row whose command is given again
        "ALTER TABLE rows ADD COLUMN base INTEGER",
        # 1: a secret answer that is no barrier to another seat's undo
        "ALTER TABLE rows ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0",
        # JSON: the pieces it moved, [kind, from, to]
        "ALTER TABLE rows ADD COLUMN moved TEXT NOT NULL DEFAULT '[]'",
        """CREATE TABLE twins (
            game TEXT PRIMARY KEY REFERENCES games(id) ON DELETE CASCADE,
            twin BLOB NOT NULL           -- JSON: where the figures are known to be
        ) STRICT""",
    ),
    (
        # JSON object: players' names, the sides they sit at, the layout of the readers
        "ALTER TABLE games ADD COLUMN setup TEXT NOT NULL DEFAULT '{}'",
        # a count that rises with rows and openings: when it was last put on the table (listing.NEXT_OPENED)
        "ALTER TABLE games ADD COLUMN opened INTEGER NOT NULL DEFAULT 0",
    ),
)

APPLICATION_ID = 0x4A4E4D4B
"""``JNMK``: so that another program's database is not taken for a journal."""
