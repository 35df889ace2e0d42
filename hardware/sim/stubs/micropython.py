"""Stands in for MicroPython's ``micropython`` where CPython runs the firmware. (MicroPython's own always wins there.)"""


def kbd_intr(byte):  # type: ignore[no-untyped-def]
    """No Ctrl-C can come down a pipe."""
