"""The firmware's one loop: line, picture, lamps, memory, in that order, for ever.

It knows its board only as an object with ``wait``, ``now``, ``read``, ``write``, ``show``, ``claim`` and ``device``, so tests
run it with a pretended one. It ends only by an exception (``main`` starts it again).
"""

from firmware_proto import codec
from firmware_proto.codec import Error
from firmware_proto.firmware.animator import Animator
from firmware_proto.firmware.link import Link
from firmware_proto.firmware.store import Store

TYPE_CHECKING = False  # MicroPython has no typing module; type checkers know the name
if TYPE_CHECKING:
    from firmware_proto.firmware.board import Board

FRAME_MS = 20
"""An easing of 90 ms then has four or five steps. Sending 60 lamps takes 1.8 ms of it."""
REFRESH_MS = 1000
"""A picture that stands still is sent down the strip anyway: a lamp that lost its data, or its power, comes back."""


def run(board: "Board", store: Store, trouble: str = "") -> None:
    """``trouble``: why the last run ended, told to the host unasked."""
    settings, picture = store.settings(), store.picture()
    link = Link(board.device, settings, picture)
    animator = Animator(settings, picture)
    if trouble:
        board.write(codec.pack(Error(0, codec.STARTED_AGAIN, trouble)))
    awake = False
    sent = b""
    sent_at = due = board.now()
    while True:
        board.wait(due - board.now())
        now = board.now()
        answer = link.receive(board.read(), now)
        if answer:
            board.write(answer)
        link.tick(now)
        if link.awake is not awake:
            # Not at the start: after a crash the line may be in the middle of bytes that only look like Ctrl-C.
            awake = link.awake
            board.claim(awake)
        if link.settings is not settings or link.picture is not picture:
            if link.settings is not settings:
                store.save(link.settings)
            settings, picture = link.settings, link.picture
            animator = Animator(settings, picture)
            due = now
        store.keep(link.keep, now)
        if now >= due:
            due = now + FRAME_MS
            frame = animator.frame(now)
            if frame != sent or now - sent_at >= REFRESH_MS:
                board.show(frame)
                sent, sent_at = bytes(frame), now
