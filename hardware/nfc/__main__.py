"""`python -m hardware.nfc`: look for a reader and show what it sees. The way to try a reader and the tags you bought."""

import argparse
import queue
import time
from collections.abc import Sequence

from hardware.nfc import Health, Reader, Said, Sighting, State
from hardware.nfc.discovery import Find


def main(argv: Sequence[str] | None = None) -> int:
    """Show states, tags and notices until interrupted, or for `--for` seconds; 1 if no reader was ready at the end."""
    parser = argparse.ArgumentParser(prog="python -m hardware.nfc", description="Look for an NFC reader and show the tags it sees.")
    parser.add_argument(
        "find", nargs="?", default="auto", help="auto (default), a port such as /dev/ttyUSB0, usb, serial:NUMBER, socket:1-1.4"
    )
    parser.add_argument("--for", dest="seconds", type=float, default=float("inf"), metavar="SECONDS", help="stop after this time")
    options = parser.parse_args(argv)
    try:
        Find.parse(options.find)
    except ValueError as fault:
        parser.error(str(fault))
    told: queue.SimpleQueue[str] = queue.SimpleQueue()
    last: list[str] = []

    def sighted(sighting: Sighting) -> None:
        told.put(f"{'placed ' if sighting.placed else 'removed'} {sighting.uid}")

    def state(health: Health) -> None:
        if health.state in {State.OPENING, State.HANDSHAKING}:
            return  # passing states; what comes of them is worth a line, once
        lines = [health.said.text, *(f"  {passed}" for passed in health.tried if passed != health.said)]
        if lines != last:
            last[:] = lines
            told.put("\n".join(lines))

    def notice(about: Said) -> None:
        told.put(f"  {about}")

    reader = Reader(options.find, name="reader", on_sighting=sighted, on_state=state, on_notice=notice)
    reader.start()
    deadline = time.monotonic() + options.seconds
    try:
        while time.monotonic() < deadline:
            try:
                print(told.get(timeout=min(0.5, max(0.01, deadline - time.monotonic()))), flush=True)  # noqa: T201 - its output is its purpose
            except queue.Empty:
                continue
    except KeyboardInterrupt:
        pass
    health = reader.health()
    reader.stop()
    print(health.line)  # noqa: T201 - as above
    return 0 if health.state == "ready" else 1


if __name__ == "__main__":
    raise SystemExit(main())
