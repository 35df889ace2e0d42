"""The wire between the table and its LED track, and the firmware at the far end of it.

``codec`` is one file for both ends: CPython 3.11+ on the host, MicroPython 1.24+ on the microcontroller. ``firmware`` is what
runs on the microcontroller. Nothing here imports ``typing``, ``dataclasses`` or anything else MicroPython has not got.
"""
