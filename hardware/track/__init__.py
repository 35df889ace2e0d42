"""The LED track on its serial port, from the host's side. ``Strip`` is the door; ``docs/hardware-track.md`` says how to build one."""

from hardware.track.health import Health, State
from hardware.track.layout import Lamp, Layout, LayoutError, load
from hardware.track.ports import Finder
from hardware.track.strip import Strip

__all__ = ["Finder", "Health", "Lamp", "Layout", "LayoutError", "State", "Strip", "load"]
