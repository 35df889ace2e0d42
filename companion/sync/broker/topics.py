"""Topic names and filters: what is well formed, what matches what, and who subscribed to what.

Here: pure functions on strings and the subscription tree. Not here: sessions, access (``covers`` helps whoever decides it).
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

LEVELS = 64
"""Deepest topic or filter taken; far above any game, low enough that nobody can make matching slow."""

K = TypeVar("K", bound=Hashable)


def topic_fault(topic: str) -> str:
    """Why this is no topic name a message can be published to; empty when it is one."""
    if "+" in topic or "#" in topic:
        return "a topic name has a wildcard"
    return _common_fault(topic)


def filter_fault(topic_filter: str) -> str:
    """Why this is no topic filter; empty when it is one."""
    levels = topic_filter.split("/")
    if any("#" in level for level in levels[:-1]) or ("#" in levels[-1] and levels[-1] != "#"):
        return "a filter has # elsewhere than alone at its end"
    if any("+" in level and level != "+" for level in levels):
        return "a filter has + inside a level"
    return _common_fault(topic_filter)


def _common_fault(text: str) -> str:
    if not text:
        return "a topic is empty"
    if text.count("/") >= LEVELS:
        return f"a topic has more than {LEVELS} levels"
    return ""


def matches(topic_filter: str, topic: str) -> bool:
    """MQTT 3.1.1 section 4.7: a leading wildcard does not reach topics that begin with ``$``."""
    wanted, levels = topic_filter.split("/"), topic.split("/")
    if topic.startswith("$") and wanted[0] in {"#", "+"}:
        return False
    for i, level in enumerate(wanted):
        if level == "#":
            return True
        if i >= len(levels) or level not in {"+", levels[i]}:
            return False
    return len(wanted) == len(levels)


def covers(allowed: str, wanted: str) -> bool:
    """True only when every topic that the filter ``wanted`` can match is matched by the filter ``allowed``.

    This is what an access list has to ask of a SUBSCRIBE: matching one filter against another as if it were a topic
    would let an allowed ``a/+`` grant ``a/#``.
    """
    grant, levels = allowed.split("/"), wanted.split("/")
    if wanted.startswith("$") and grant[0] in {"#", "+"}:
        return False
    for i, level in enumerate(grant):
        if level == "#":
            return True
        if i >= len(levels) or levels[i] == "#" or level not in {"+", levels[i]}:
            return False
    return len(grant) == len(levels)


class _Node(Generic[K]):
    __slots__ = ("below", "here")

    def __init__(self) -> None:
        self.below: dict[str, _Node[K]] = {}
        self.here: dict[K, int] = {}


class Tree(Generic[K]):
    """Who subscribed to which filter at which QoS; finding costs what matches, not what is subscribed."""

    def __init__(self) -> None:
        self._root: _Node[K] = _Node()

    def add(self, topic_filter: str, who: K, qos: int) -> None:
        """Subscribe, or change the QoS of the same subscription."""
        node = self._root
        for level in topic_filter.split("/"):
            node = node.below.setdefault(level, _Node())
        node.here[who] = qos

    def remove(self, topic_filter: str, who: K) -> None:
        """End a subscription; one that is not there is no fault."""
        path: list[tuple[_Node[K], str]] = []
        node = self._root
        for level in topic_filter.split("/"):
            path.append((node, level))
            below = node.below.get(level)
            if below is None:
                return
            node = below
        node.here.pop(who, None)
        for above, level in reversed(path):
            child = above.below[level]
            if child.here or child.below:
                break
            del above.below[level]

    def find(self, topic: str) -> dict[K, int]:
        """Everyone whose filters match, each once, at the highest QoS among the filters that match."""
        found: dict[K, int] = {}
        nodes = [self._root]
        guarded = topic.startswith("$")  # MQTT-4.7.2-1: a leading wildcard does not reach these
        for level in topic.split("/"):
            deeper: list[_Node[K]] = []
            for node in nodes:
                below = node.below
                if not guarded:
                    if (rest := below.get("#")) is not None:
                        _merge(found, rest.here)
                    if (any_one := below.get("+")) is not None:
                        deeper.append(any_one)
                if (exact := below.get(level)) is not None:
                    deeper.append(exact)
            nodes = deeper
            guarded = False
        for node in nodes:
            _merge(found, node.here)
            if (rest := node.below.get("#")) is not None:  # a/# matches a itself
                _merge(found, rest.here)
        return found

    def __bool__(self) -> bool:
        return bool(self._root.below)


def _merge(found: dict[K, int], more: dict[K, int]) -> None:
    for who, qos in more.items():
        if found.get(who, -1) < qos:
            found[who] = qos
