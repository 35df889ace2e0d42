"""How much of anything the broker holds for others. One place, so that tests and a big table can change it."""

from __future__ import annotations

from msgspec import Struct


class Limits(Struct, frozen=True):
    """Sizes in bytes, times in seconds. The defaults are far above a game's needs and far below a small computer's memory."""

    stranger_packet: int = 4096
    """Longest packet before a CONNECT was accepted."""
    packet: int = (256 + 1) * 1024
    """Longest packet after that: a payload of 256 kB with its topic."""
    stranger_wait: float = 10.0
    """A connection that has not said CONNECT by then is closed."""
    strangers: int = 64
    """Connections before CONNECT; one more, and the oldest of them is closed."""
    sessions: int = 256
    """Clients known, connected or not."""
    sessions_per_user: int = 8
    """One more, and that user's own longest silent session ends."""
    session_life: float = 3600.0
    """How long a persistent session outlives its connection."""
    client_id: int = 128
    """Longest client id, in characters."""
    filters: int = 64
    """Subscriptions of one session."""
    inflight: int = 100
    """QoS 1 messages sent to one client and not acknowledged yet; also QoS 2 messages received and not released yet."""
    queue: int = 2000
    """QoS 1 messages waiting for one client, sent or not."""
    queue_bytes: int = 8 << 20
    backlog: int = 8 << 20
    """Bytes given to one connection that have not left yet."""
    retained: int = 1000
    retained_bytes: int = 8 << 20
    rate: float = 20.0
    """Packets a second that one user may send, acknowledgements aside; a phone that is played on sends fewer than one."""
    burst: float = 60.0
    """As many at once."""
    byte_rate: float = 64 * 1024.0
    """Bytes a second that one user may send in them."""
    byte_burst: float = 256 * 1024.0
    patience: float = 10.0
    """A connection that is over its user's rate for so long without a pause is closed."""
    warnings: int = 5
    """Warnings in the log about one address within ``warnings_span``; further ones are counted and told in one line."""
    warnings_span: float = 60.0
    warned: int = 256
    """Addresses that are counted for."""
