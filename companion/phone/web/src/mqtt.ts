/**
 * One MQTT connection over the page's own WebSocket, by MQTT.js.
 *
 * Each connection is a new client: MQTT.js would otherwise send frames of an old conversation again by itself, and its resubscribing is
 * what makes reconnected phones deaf. Reconnecting is link.ts's. QoS 0 upward for the same reason: what was not answered is asked again
 * in a new frame with the same id. Here: dial. Not here: what travels.
 */
import mqtt from "mqtt";

import type { Dial } from "./link.ts";
import { base64url, password, random } from "./sealing.ts";
import type { Seat } from "./seat.ts";

const KEEPALIVE_S = 25;
const CONNECT_MS = 6000;
/** CONNACK 4 and 5: bad user name or password, not authorised. */
const REFUSALS = new Set([4, 5, 134, 135]);

/** `ws://` beside `http://`, `wss://` beside `https://`, always the host this page came from. */
export function brokerUrl(at: { protocol: string; host: string }): string {
  return `${at.protocol === "https:" ? "wss" : "ws"}://${at.host}/mqtt`;
}

export function dialer(seat: Seat, url: string): Dial {
  // One id a window: after a drop it replaces its own dead session, and two windows never kick each other.
  const clientId = `${seat.seat}.${seat.epoch}-${base64url(random(9))}`;
  return (subscribe, will, events) => {
    const client = mqtt.connect(url, {
      clientId,
      username: `${seat.seat}.${seat.epoch}`,
      password: password(seat.key),
      protocolVersion: 4,
      clean: true,
      keepalive: KEEPALIVE_S,
      connectTimeout: CONNECT_MS,
      reconnectPeriod: 0,
      resubscribe: false,
      queueQoSZero: false,
      timerVariant: "native", // its worker would need blob: in the content security policy
      will: { topic: will.topic, payload: new TextEncoder().encode(will.payload) as Buffer, qos: 1, retain: true },
    });
    let over = false;
    const down = (why: "lost" | "refused"): void => {
      if (over) return;
      over = true;
      client.end(true);
      events.down(why);
    };
    client.on("connect", () => {
      client.subscribe(subscribe, { qos: 0 }, (fault) => {
        if (fault) down("lost");
        else if (!over) events.up();
      });
    });
    client.on("message", (topic, payload) => {
      if (!over) events.frame(topic, payload);
    });
    client.on("error", (fault) => {
      down("code" in fault && REFUSALS.has(Number(fault.code)) ? "refused" : "lost");
    });
    client.on("close", () => down("lost"));
    client.on("offline", () => down("lost"));
    return {
      send(topic, payload, retain) {
        if (!over) client.publish(topic, payload as Buffer | string, { qos: retain ? 1 : 0, retain });
      },
      close() {
        over = true;
        // Not a goodbye: the broker publishes the will, which says that this phone is away.
        client.stream.destroy();
        client.end(true);
      },
    };
  };
}
