"""Our own small MQTT broker, in pure logic: ``Broker(auth, may)``. See docs/adr/0005-own-broker.md."""

from companion.sync.broker.broker import Broker, Counts
from companion.sync.broker.limits import Limits
from companion.sync.broker.link import Link, Wire

__all__ = ["Broker", "Counts", "Limits", "Link", "Wire"]
