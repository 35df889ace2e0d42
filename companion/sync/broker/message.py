"""One message on its way to several subscribers. Not here: who they are."""

from __future__ import annotations

from companion.sync.broker.packets import publish_frame, string


class Message:
    """What was published. QoS is at most 1: the broker forwards nothing at QoS 2.

    The bytes that are the same for every receiver are made once.
    """

    __slots__ = ("_frame", "_name", "payload", "qos", "size", "topic")

    def __init__(self, topic: str, payload: bytes, qos: int) -> None:
        self.topic, self.payload, self.qos = topic, payload, min(qos, 1)
        self._name = string(topic)
        self._frame = b""
        self.size = len(self._name) + len(payload)
        """Bytes it holds in memory, about."""

    def unacknowledged(self, *, retain: bool) -> bytes:
        """The frame at QoS 0."""
        if retain:
            return publish_frame(self._name, self.payload, qos=0, retain=True)
        if not self._frame:
            self._frame = publish_frame(self._name, self.payload, qos=0, retain=False)
        return self._frame

    def acknowledged(self, packet_id: int, *, retain: bool, dup: bool) -> bytes:
        """The frame at QoS 1."""
        return publish_frame(self._name, self.payload, qos=1, retain=retain, dup=dup, packet_id=packet_id)
