"""The last retained message of each topic, bounded. Not here: who may read it (the session asks on delivery)."""

from __future__ import annotations

from companion.sync.broker.limits import Limits
from companion.sync.broker.message import Message
from companion.sync.broker.topics import matches


class Retained:
    """Keeps what was published with the retain flag; in memory only, so publishers say it again when they connect."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._kept: dict[str, Message] = {}
        self._bytes = 0

    def keep(self, message: Message) -> bool:
        """Replace the topic's message; an empty payload removes it. False, and nothing changed, when there is no room."""
        old = self._kept.get(message.topic)
        freed = old.size if old is not None else 0
        if not message.payload:
            if old is not None:
                del self._kept[message.topic]
                self._bytes -= freed
            return True
        if (old is None and len(self._kept) >= self._limits.retained) or self._bytes - freed + message.size > self._limits.retained_bytes:
            return False
        self._kept[message.topic] = message
        self._bytes += message.size - freed
        return True

    def find(self, topic_filter: str) -> list[Message]:
        """Every kept message that the filter matches, longest kept topic first."""
        if "+" not in topic_filter and "#" not in topic_filter:
            kept = self._kept.get(topic_filter)
            return [] if kept is None else [kept]
        return [message for topic, message in self._kept.items() if matches(topic_filter, topic)]

    def purge(self, prefix: str) -> int:
        """Forget every topic that begins so; how many there were."""
        gone = [topic for topic in self._kept if topic.startswith(prefix)]
        for topic in gone:
            self._bytes -= self._kept.pop(topic).size
        return len(gone)

    def __len__(self) -> int:
        return len(self._kept)
