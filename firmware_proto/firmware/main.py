"""Where the Pico starts (copy to the board as ``main.py``): runs the loop, and runs it again whatever happens to it."""

import time

from firmware_proto.codec import MAX_TEXT
from firmware_proto.firmware.board import Board
from firmware_proto.firmware.loop import run
from firmware_proto.firmware.store import Store

BREATH_MS = 200
"""Between two runs, so that a fault that is there from the first line on does not eat the chip."""


def main() -> None:
    """Comes back only for Ctrl-C (the way to the prompt, see ``board.Usb.claim``) and when the line is gone for good."""
    trouble = ""
    while True:
        try:
            store = Store()
            store.settings()  # says which wire
            board = Board(store.wire)
            run(board, store, trouble)
        except (KeyboardInterrupt, EOFError):
            return
        except Exception as error:  # noqa: BLE001 - a strip that stays dark for the night is worse than any error
            trouble = "".join([c if " " <= c <= "~" else "?" for c in f"{type(error).__name__}: {error}"])[:MAX_TEXT]
            time.sleep_ms(BREATH_MS)  # type: ignore[attr-defined]  # MicroPython's own


if __name__ == "__main__":
    main()
