"""The host's end of the conversation: one question at a time, asked again until it is answered or given up.

Here: sequence numbers, repeats, how good the line is, the hello that disturbs nobody. Not here: opening and losing devices, what
to show (``strip``).
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol, TypeVar

from firmware_proto import codec
from firmware_proto.codec import Error, Fault, Hello, Identity, Message
from firmware_proto.framing import Reader
from hardware.track.wire import Wire

LOGGER = logging.getLogger(__name__)

M = TypeVar("M", bound=Message)

TRIES, WAIT = 3, 0.4
"""A picture takes 60 ms at 115,200 baud and the firmware 20 ms more; a board that is writing to its flash takes 100 ms."""
HELLO_TRIES, HELLO_WAIT = 6, 0.5
"""Three seconds: a board that resets when its port is opened spends up to two of them in its boot loader."""
SLICE = 0.1
"""s. How soon a conversation ends that nobody wants any more."""

_CALM = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_CALM_SET = set(_CALM)


class Clock(Protocol):
    """Time, and waiting for it."""

    def now(self) -> float: ...

    def wait(self, event: threading.Event, seconds: float) -> None:
        """Until the event is set, but no longer than this."""


class RealClock:
    """The machine's own."""

    def now(self) -> float:
        return time.monotonic()

    def wait(self, event: threading.Event, seconds: float) -> None:
        event.wait(seconds)


class SilenceError(Exception):
    """No answer."""


class RefusedError(Exception):
    """The device answered no; ``code`` as in the codec."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


class Quality:
    """How often a question had to be asked again, over the last hundred."""

    def __init__(self) -> None:
        self._last: deque[bool] = deque(maxlen=100)
        self.bad = 0
        """Frames the device had to drop."""

    def note(self, *, answered: bool) -> None:
        self._last.append(answered)

    @property
    def lost(self) -> float:
        """0..1"""
        return self._last.count(False) / len(self._last) if self._last else 0.0

    @property
    def poor(self) -> bool:
        """Worth telling: more than one in ten, of at least twenty."""
        return len(self._last) >= 20 and self.lost > 0.1


def quiet_hello(pick: random.Random) -> Hello:
    """A hello whose frame is letters, digits and spaces between two zeros.

    It may reach any device: no control character can stop a program at a MicroPython prompt, no line end can run a command, no
    punctuation can be a real-time order to a milling machine.
    """
    while True:
        seq, nonce = (int.from_bytes(pick.choices(_CALM, k=n)) for n in (2, 4))
        hello = Hello(seq, nonce)
        if set(codec.pack(hello)[-5:-1]) <= _CALM_SET:  # the CRC, which one in 300 has calm; the rest is calm by choice
            return hello


class Talk:
    """A conversation over one open wire."""

    def __init__(
        self, wire: Wire, clock: Clock, *, given_up: Callable[[], bool] = lambda: False, pick: random.Random | None = None
    ) -> None:
        """``given_up`` is asked often; once it is true, whatever is being asked ends as silence."""
        self.quality = Quality()
        self._wire = wire
        self._clock = clock
        self._given_up = given_up
        self._pick = pick or random.Random()
        self._reader = Reader()
        self._seq = 0

    def listen(self, seconds: float) -> bytes:
        """What the device says unasked."""
        heard = b""
        end = self._clock.now() + seconds
        while (left := end - self._clock.now()) > 0 and not self._given_up():
            heard += self._wire.read(min(left, SLICE))
        return heard[-1000:]

    def hello(self) -> Identity:
        """Who is there. Raises as ``ask``."""
        hello = quiet_hello(self._pick)
        identity = self._exchange(hello, Identity, hello.seq, HELLO_TRIES, HELLO_WAIT)
        if identity.nonce != hello.nonce:
            raise SilenceError("it answered another program's hello")
        return identity

    def ask(self, question: Message, kind: type[M], *, tries: int = TRIES, wait: float = WAIT) -> M:
        """The answer of that kind. Raises SilenceError, RefusedError, or OSError when the device is gone."""
        self._seq = self._seq % 0xFFFF + 1  # never 0, which is for what the device says unasked
        return self._exchange(question, kind, self._seq, tries, wait)

    def _exchange(self, question: Message, kind: type[M], seq: int, tries: int, wait: float) -> M:
        for _ in range(tries):
            self._wire.write(codec.pack(question, seq))
            answer = self._answer(kind, seq, self._clock.now() + wait)
            self.quality.note(answered=answer is not None)
            if answer is not None:
                return answer
            if self._given_up():
                break
        raise SilenceError("no answer")

    def _answer(self, kind: type[M], seq: int, end: float) -> M | None:
        while (left := end - self._clock.now()) > 0 and not self._given_up():
            for payload in self._reader.feed(self._wire.read(min(left, SLICE))):
                message = codec.unpack(payload)
                if isinstance(message, Fault):
                    continue  # its CRC is right, so a newer firmware says what we need not know
                if isinstance(message, Error) and message.seq == 0:
                    LOGGER.warning("the LED track's firmware started again: %s", message.text)
                elif message.seq == seq and isinstance(message, Error):
                    raise RefusedError(message.code, message.text)
                elif message.seq == seq and isinstance(message, kind):
                    return message
        return None
