/** Time and a referee for tests: nothing waits, nothing goes over a wire. Here: fakes only. */
import { Channel } from "../src/channel.ts";
import type { Dial, Timers, WireEvents } from "../src/link.ts";
import { NONCE, UNKNOWN, base64url, head, open, seal, unbase64url } from "../src/sealing.ts";
import { type Seat, topics } from "../src/seat.ts";

export const SEAT: Seat = { game: "testgame", seat: "koi", epoch: 3, key: Uint8Array.from({ length: 32 }, (_, i) => i) };

export class Clock implements Timers {
  #now = 0;
  #due: { at: number; then: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, then: () => void): () => void {
    const timer = { at: this.#now + ms, then };
    this.#due.push(timer);
    return () => {
      this.#due = this.#due.filter((each) => each !== timer);
    };
  }

  pass(ms: number): void {
    const end = this.#now + ms;
    while (true) {
      const next = this.#due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#due = this.#due.filter((each) => each !== next);
      this.#now = next.at;
      next.then();
    }
    this.#now = end;
  }
}

/** The other end: opens what the phone says, seals what a test wants said. */
export class Referee {
  readonly topics = topics(SEAT);
  dials = 0;
  heard: Record<string, unknown>[] = [];
  presence: unknown[] = [];
  events: WireEvents | null = null;
  subscribed: string[] = [];
  closed = 0;
  /** Whether a hello is answered, and with what. */
  answers = true;
  greeting: Record<string, unknown> = { t: "welcome", revision: 1, stamp: 1, seat: "koi", view: { title: "A table" } };
  #phone = UNKNOWN;
  #referee = UNKNOWN;
  #sent = 0;

  readonly dial: Dial = (subscribe, _will, events) => {
    this.dials += 1;
    this.subscribed = subscribe;
    this.events = events;
    return {
      send: (topic, payload) => {
        if (typeof payload === "string") this.presence.push(JSON.parse(payload));
        else if (topic === this.topics.up) this.#hear(payload);
      },
      close: () => {
        this.closed += 1;
      },
    };
  };

  get said(): unknown[] {
    return this.heard.map(({ t }) => t);
  }

  #bound(direction: "u" | "d", phone: Uint8Array, referee: Uint8Array) {
    const { key, game, epoch } = SEAT;
    return { key, game, epoch, direction, phone, referee, topic: direction === "u" ? this.topics.up : this.topics.down };
  }

  #hear(frame: Uint8Array): void {
    const hello = head(frame)?.counter === 0 ? open(this.#bound("u", UNKNOWN, UNKNOWN), frame) : null;
    if (hello === null) {
      const text = open(this.#bound("u", this.#phone, this.#referee), frame);
      if (text !== null) this.heard.push(JSON.parse(text) as Record<string, unknown>);
      return;
    }
    const message = JSON.parse(hello) as Record<string, unknown>;
    this.heard.push(message);
    if (!this.answers) return;
    this.#phone = unbase64url(message["nonce"] as string);
    this.#referee = crypto.getRandomValues(new Uint8Array(NONCE));
    this.#sent = 0;
    const content = JSON.stringify({ ...this.greeting, nonce: base64url(this.#referee) });
    this.events?.frame(this.topics.down, seal(this.#bound("d", this.#phone, UNKNOWN), 0, content));
  }

  say(message: object): void {
    this.#sent += 1;
    this.events?.frame(this.topics.down, seal(this.#bound("d", this.#phone, this.#referee), this.#sent, JSON.stringify(message)));
  }
}

export function channel(): Channel {
  return new Channel(SEAT, topics(SEAT));
}
