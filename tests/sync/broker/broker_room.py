"""One scenario's clients at one broker, ours or Mosquitto."""

from __future__ import annotations

from broker_harness import PASSWORDS, Raw

from companion.sync.broker.packets import (
    Connack,
    Connect,
    Packet,
    Pingreq,
    Pingresp,
    Puback,
    Publish,
    Pubrel,
    Suback,
    Subscribe,
    Will,
)


class Room:
    """One scenario's clients at one broker; ``name`` keeps its topics and ids apart from other scenarios'."""

    def __init__(self, port: int, name: str) -> None:
        self.port, self.name = port, name
        self.clients: list[Raw] = []
        self.table = self.come("table", "t")

    def enter(self, connect: Connect) -> tuple[Raw, Packet | None]:
        client = Raw(self.port)
        self.clients.append(client)
        client.say(connect)
        return client, client.hear()

    def come(self, user: str, number: str, *, clean: bool = True, will: Will | None = None) -> Raw:
        client, answer = self.enter(self.connect(user, number, clean=clean, will=will))
        assert isinstance(answer, Connack) and answer.code == 0, answer
        client.present = answer.present
        return client

    def connect(self, user: str, number: str, *, clean: bool = True, will: Will | None = None, password: bytes | None = None) -> Connect:
        return Connect(f"{user}-{self.name}-{number}", clean, 60, user, PASSWORDS[user] if password is None else password, will)

    def subscribe(self, client: Raw, *filters: tuple[str, int]) -> list[int]:
        """Codes; whatever comes before the SUBACK is kept for ``until_mark``."""
        client.say(Subscribe(77, filters))
        early = []
        while not isinstance(packet := client.hear(), Suback):
            assert packet is not None
            early.append(packet)
        client.early = early
        return list(packet.codes)

    def mark(self, client: Raw) -> list[tuple[str, bytes, int, bool, bool]]:
        """Everything delivered up to now: a ping and its answer is a mark in the stream. QoS 1 is acknowledged."""
        client.say(Pingreq())
        heard = list(getattr(client, "early", []))
        client.early = []
        while not isinstance(packet := client.hear(), Pingresp):
            if packet is None:
                return [*said(heard), ("closed", b"", 0, False, False)]
            heard.append(packet)
        for packet in heard:
            if isinstance(packet, Publish) and packet.qos == 1:
                client.say(Puback(packet.packet_id))
        return said(heard)

    def publish(self, client: Raw, topic: str, payload: bytes, qos: int = 0, *, retain: bool = False) -> list[Packet | None]:
        """Publish and go through the whole handshake; what the broker answered."""
        client.say(Publish(topic, payload, qos, retain=retain, packet_id=5 if qos else 0))
        if qos == 0:
            client.say(Pingreq())
            return [self._answer(client)]
        answers = [self._answer(client)]
        if qos == 2:
            client.say(Pubrel(5))
            answers.append(self._answer(client))
        return answers

    def _answer(self, client: Raw) -> Packet | None:
        while isinstance(packet := client.hear(), Publish):
            client.early = [*getattr(client, "early", []), packet]
        return packet

    def end(self) -> None:
        for client in self.clients:
            client.close()


def said(packets: list[Packet]) -> list[tuple[str, bytes, int, bool, bool]]:
    return [(p.topic, p.payload, p.qos, p.retain, p.dup) for p in packets if isinstance(p, Publish)]
