"""What a reader reports about tags: placed or removed, never merely "read"."""

import msgspec


class Sighting(msgspec.Struct, frozen=True):
    """A tag was laid on a reader, or has left it."""

    uid: str
    """Upper-case hex without separators."""
    reader: str
    place: str | None
    """The place the reader is bound to, None for a reader that is no place."""
    placed: bool
    at: float
    """Time of the clock that the reader was given."""
