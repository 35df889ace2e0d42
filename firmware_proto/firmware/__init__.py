"""What runs on the microcontroller: MicroPython 1.24 or later on a Raspberry Pi Pico (docs/hardware-track.md).

``animator``, ``link`` and ``store`` are plain integer code that CPython runs and tests as well; only ``board`` knows the chip.
"""

VERSION = "0.1.0"
"""Told in the Identity. Rises with every change that reaches a strip."""
