/**
 * This phone's end of one conversation with the referee: from its hello to the last frame under its two nonces.
 *
 * Here: which nonces and counters a frame is sealed with and must open with. Not here: MQTT, timers, what is said.
 */
import { NONCE, type Binding, UNKNOWN, base64url, head, open, random, seal, unbase64url } from "./sealing.ts";
import { PROTOCOL, type Seat, type Topics } from "./seat.ts";

export class Channel {
  readonly #seat: Seat;
  readonly #topics: Topics;
  readonly #phone: Uint8Array;
  #referee: Uint8Array | null = null;
  #sent = 0;
  #heard = 0;

  /** `nonce` is given only by tests that compare with vectors. */
  constructor(seat: Seat, topics: Topics, nonce: Uint8Array = random(NONCE)) {
    this.#seat = seat;
    this.#topics = topics;
    this.#phone = nonce;
  }

  /** The welcome has come: later frames can be sealed. */
  get met(): boolean {
    return this.#referee !== null;
  }

  #bound(direction: "u" | "d", phone: Uint8Array, referee: Uint8Array): Binding {
    const { key, game, epoch } = this.#seat;
    return { key, game, epoch, direction, phone, referee, topic: direction === "u" ? this.#topics.up : this.#topics.down };
  }

  hello(lang: string): Uint8Array {
    const nonce = base64url(this.#phone);
    return seal(this.#bound("u", UNKNOWN, UNKNOWN), 0, JSON.stringify({ t: "hello", proto: PROTOCOL, lang, nonce }));
  }

  /** Needs `met`. */
  seal(message: object): Uint8Array {
    if (this.#referee === null) throw new Error("no welcome yet");
    this.#sent += 1;
    return seal(this.#bound("u", this.#phone, this.#referee), this.#sent, JSON.stringify(message));
  }

  /** The content of a frame of this conversation that has not been heard yet, else null. A welcome also names the referee. */
  hear(frame: Uint8Array): unknown {
    const top = head(frame);
    if (top === null) return null;
    if (this.#referee === null) {
      const content = top.counter === 0 ? parsed(open(this.#bound("d", this.#phone, UNKNOWN), frame)) : null;
      const nonce = refereeNonce(content);
      if (nonce === null) return null;
      this.#referee = nonce;
      return content;
    }
    if (top.counter <= this.#heard) return null;
    const text = open(this.#bound("d", this.#phone, this.#referee), frame);
    if (text === null) return null;
    this.#heard = top.counter;
    return parsed(text);
  }
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : (JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}

function refereeNonce(content: unknown): Uint8Array | null {
  const nonce = (content as { nonce?: unknown } | null)?.nonce;
  if (typeof nonce !== "string") return null;
  try {
    const bytes = unbase64url(nonce);
    return bytes.length === NONCE ? bytes : null;
  } catch {
    return null;
  }
}
