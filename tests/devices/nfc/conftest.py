"""Simulated readers for real drivers; real time, kept short."""

import contextlib
import os
import pty
import threading
import time
import tty

import pytest
from nfc_bench import Watched

from hardware.sim.pn532 import PN532Sim


@pytest.fixture
def sim():
    with PN532Sim() as made:
        yield made


@pytest.fixture
def watch():
    """Start a reader; it is stopped at the end."""
    watched = []

    def start(find, **options):
        watched.append(Watched(find, **options))
        return watched[-1]

    yield start
    for each in watched:
        each.reader.stop()
        assert not each.reader._thread.is_alive()


@pytest.fixture
def device():
    """Some other device on a port: `device(answer)` answers each chunk it hears by `answer(chunk)`."""
    running, threads, ends = threading.Event(), [], []
    running.set()

    def plug(answer, unasked=b""):
        master, slave = pty.openpty()
        tty.setraw(master)
        tty.setraw(slave)
        os.set_blocking(master, False)
        ends.extend((master, slave))

        def run():
            while running.is_set():
                try:
                    heard = os.read(master, 4096)
                except BlockingIOError:
                    heard = b""
                reply = (answer(heard) if heard else b"") + unasked
                if reply:
                    with contextlib.suppress(BlockingIOError):
                        os.write(master, reply)
                time.sleep(0.002)

        threads.append(threading.Thread(target=run, daemon=True))
        threads[-1].start()
        return os.ttyname(slave)

    yield plug
    running.clear()
    for thread in threads:
        thread.join()
    for end in ends:
        os.close(end)
