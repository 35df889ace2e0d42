/**
 * The line to the referee: dial, subscribe, hello, welcome, ready; and again, for ever.
 *
 * Connected means: subscribed, snapshot received. A phone that sleeps is normal: every return to the foreground asks for the whole table
 * anew. Here: that state machine over a Wire. Not here: MQTT itself (mqtt.ts), orders (model.ts), drawing.
 */
import { Channel } from "./channel.ts";
import { VERSION, head } from "./sealing.ts";
import { PROTOCOL, type Seat, type Topics, topics } from "./seat.ts";
import { share } from "./share.ts";
import { type Down, read } from "./wire.ts";

/** offline: no line; catching: a line, but not the whole table yet; online: this screen is the table. */
export type Status = "offline" | "catching" | "online";

/**
 * Why there is nothing to play here. waiting: the table must agree; revoked: the seat moved to another phone; moved: it is open in another
 * window; refused: the broker does not know this code; old: this page is older than the table.
 */
export type Door = "open" | "waiting" | "revoked" | "moved" | "refused" | "old";

export interface Wire {
  send(topic: string, payload: Uint8Array | string, retain: boolean): void;
  close(): void;
}

export interface WireEvents {
  /** Connected and subscribed to everything: nothing can be missed from here on. */
  up(): void;
  frame(topic: string, payload: Uint8Array): void;
  /** Once; nothing comes after it. */
  down(why: "lost" | "refused"): void;
}

/** Opens one connection; `will` is left behind when it breaks. */
export type Dial = (subscribe: string[], will: { topic: string; payload: string }, events: WireEvents) => Wire;

export interface Timers {
  now(): number;
  /** Returns how to call it off. */
  after(ms: number, then: () => void): () => void;
}

export interface LinkEvents {
  status(status: Status): void;
  door(door: Door, text: string): void;
  down(message: Down): void;
  /** The referee itself left or came back, as far as the broker knows. */
  table(there: boolean): void;
}

/** No welcome in this time: hello again. */
export const HELLO_MS = 4000;
/** Asking now and then whether the referee still hears: a half-dead line must not look alive. */
export const PING_MS = 25_000;
/** Every second for two minutes, as a table that was restarted is back in a few; then it may have gone home. */
const PAUSES_MS = [300, ...Array<number>(120).fill(1000), 2000, 4000, 8000];
/** Doubled each time up to the longest: a phone that slept through its replacement must not fill the table's log. */
const REFUSED_MS = 15_000;
const REFUSED_LONGEST_MS = 30 * 60_000;
/** Hellos without an answer, on whatever line, before the page asks itself whether it is old. */
const HELLOS = 3;

export class Link {
  readonly #seat: Seat;
  readonly #topics: Topics;
  readonly #dial: Dial;
  readonly #timers: Timers;
  readonly #events: LinkEvents;
  readonly #connection: () => string;
  readonly #isOld: () => Promise<boolean>;
  #wire: Wire | null = null;
  #up = false;
  /** Says hello, waits for its welcome. */
  #pending: Channel | null = null;
  #live: Channel | null = null;
  /** The message heard last, as it came. */
  #last: unknown = null;
  #stopTimer: () => void = () => undefined;
  #stopPing: () => void = () => undefined;
  /** When the last message came, and whether a timer runs that looks at that. */
  #heard = 0;
  #pinging = false;
  #tries = 0;
  #refusals = 0;
  #hellos = 0;
  /** The table's own connection, as the broker last told of it. */
  #table = "";
  #stopped = true;
  #status: Status = "offline";
  lang: string;

  constructor(
    seat: Seat,
    lang: string,
    parts: { dial: Dial; timers: Timers; events: LinkEvents; connection: () => string; isOld: () => Promise<boolean> },
  ) {
    this.#seat = seat;
    this.lang = lang;
    this.#topics = topics(seat);
    this.#dial = parts.dial;
    this.#timers = parts.timers;
    this.#events = parts.events;
    this.#connection = parts.connection;
    this.#isOld = parts.isOld;
  }

  get status(): Status {
    return this.#status;
  }

  start(): void {
    this.#stopped = false;
    this.#connect();
  }

  stop(): void {
    this.#stopped = true;
    this.#hangUp();
    this.#say("offline");
  }

  /** Back in the foreground, or an order went unanswered: fetch the whole table. */
  resync(): void {
    if (this.#stopped) return;
    if (this.#up) {
      this.#hellos = 0;
      this.#hello();
    } else {
      this.#tries = 0;
      this.#connect();
    }
  }

  speak(lang: string): void {
    this.lang = lang;
    if (this.#status === "online") this.send({ t: "lang", lang });
  }

  /** False when there is no conversation to say it in: keep it and say it after the next welcome. */
  send(message: object): boolean {
    if (this.#status !== "online" || this.#live === null || this.#wire === null) return false;
    this.#wire.send(this.#topics.up, this.#live.seal(message), false);
    return true;
  }

  #say(status: Status): void {
    if (status === this.#status) return;
    this.#status = status;
    this.#events.status(status);
  }

  #hangUp(): void {
    this.#stopTimer();
    this.#stopPing();
    this.#wire?.close();
    this.#wire = null;
    this.#up = false;
    this.#pending = this.#live = null;
  }

  #connect(): void {
    this.#hangUp();
    const conn = this.#connection();
    const { down, presence, table } = this.#topics;
    let current: Wire | null = null;
    const mine = (): boolean => current === this.#wire;
    const events: WireEvents = {
      up: () => {
        if (!mine()) return;
        this.#up = true;
        this.#tries = this.#refusals = 0;
        this.#wire?.send(presence, JSON.stringify({ on: true, conn }), true);
        this.#hello();
      },
      frame: (topic, payload) => {
        if (!mine()) return;
        if (topic === down) this.#hear(payload);
        else if (topic === table) this.#tableThere(payload);
      },
      down: (why) => {
        if (mine()) this.#lost(why);
      },
    };
    current = this.#dial([down, table], { topic: presence, payload: JSON.stringify({ on: false, conn }) }, events);
    this.#wire = current;
  }

  #lost(why: "lost" | "refused"): void {
    this.#hangUp();
    this.#say("offline");
    if (why === "refused") this.#events.door("refused", "");
    const pause = why === "refused" ? Math.min(REFUSED_MS * 2 ** this.#refusals, REFUSED_LONGEST_MS) : (PAUSES_MS[Math.min(this.#tries, PAUSES_MS.length - 1)] ?? REFUSED_MS);
    this.#tries += 1;
    this.#refusals = why === "refused" ? this.#refusals + 1 : this.#refusals;
    if (!this.#stopped) this.#stopTimer = this.#timers.after(pause, () => this.#connect());
  }

  #hello(): void {
    this.#stopPing();
    this.#stopTimer();
    this.#stopTimer = this.#timers.after(HELLO_MS, () => {
      // A phone that slept may hold a line that only looks alive: after two in vain, a new one.
      if (this.#hellos % 2 === 0) this.#connect();
      else this.#hello();
    });
    this.#say("catching");
    this.#pending = new Channel(this.#seat, this.#topics);
    this.#hellos += 1;
    if (this.#hellos === HELLOS) this.#askWhetherOld();
    this.#wire?.send(this.#topics.up, this.#pending.hello(this.lang), false);
  }

  #askWhetherOld(): void {
    this.#isOld().then(
      (old) => {
        if (old && !this.#stopped) this.#close("old", "");
      },
      () => undefined, // The page server does not answer: that says nothing about the page.
    );
  }

  #hear(frame: Uint8Array): void {
    const version = head(frame)?.version ?? VERSION;
    if (version > VERSION) {
      this.#askWhetherOld();
      return;
    }
    const welcome = this.#pending?.hear(frame);
    if (welcome !== null && welcome !== undefined) {
      // What the old conversation still says is of no use: a "moved" it ends with means ourselves.
      this.#live = this.#pending;
      this.#pending = null;
      this.#welcomed(this.#read(welcome));
      return;
    }
    const message = this.#read(this.#live?.hear(frame));
    if (message === null) return;
    if (this.#pending === null) this.#pingLater();
    this.#take(message);
  }

  /** What is as it was in the message before becomes the same objects again. */
  #read(content: unknown): Down | null {
    if (content === null || content === undefined) return null;
    this.#last = share(this.#last, content);
    return read(this.#last);
  }

  #welcomed(message: Down | null): void {
    this.#stopTimer();
    this.#hellos = 0;
    if (this.#live !== null) this.#wire?.send(this.#topics.up, this.#live.seal({ t: "ready" }), false);
    if (message !== null) this.#take(message);
    if (this.#stopped) return;
    this.#say("online");
    this.#pingLater();
  }

  #take(message: Down): void {
    if (message.t === "revoked" || message.t === "moved") this.#close(message.t, message.text);
    else if (message.t === "reload" || message.proto > PROTOCOL) this.#close("old", message.text);
    else {
      this.#events.door(message.waiting ? "waiting" : "open", message.text);
      this.#events.down(message);
    }
  }

  /** The door shuts for good: only a new code, a reload or a press on the screen opens it. */
  #close(door: Door, text: string): void {
    this.stop();
    this.#events.door(door, text);
  }

  #pingLater(): void {
    this.#heard = this.#timers.now();
    if (!this.#pinging) this.#pingIn(PING_MS);
  }

  /** Looks again when it is due: to set its timer anew with every message would hold up the drawing. */
  #pingIn(ms: number): void {
    this.#stopPing();
    this.#pinging = true;
    const stop = this.#timers.after(ms, () => {
      this.#pinging = false;
      const left = this.#heard + PING_MS - this.#timers.now();
      if (left > 0) this.#pingIn(left);
      else if (this.send({ t: "ping" })) this.#stopPing = this.#timers.after(HELLO_MS, () => this.resync());
    });
    this.#stopPing = () => {
      this.#pinging = false;
      stop();
    };
  }

  #tableThere(payload: Uint8Array): void {
    try {
      const said = JSON.parse(new TextDecoder().decode(payload)) as { on?: unknown; conn?: unknown } | null;
      if (typeof said?.on !== "boolean") return;
      this.#events.table(said.on);
      if (!said.on) return;
      // Another connection is another table: it was restarted, and knows nothing of the conversation we are in.
      const other = this.#table !== "" && said.conn !== this.#table;
      this.#table = typeof said.conn === "string" ? said.conn : "";
      if (this.#status === "catching" || (other && this.#status === "online")) this.resync();
    } catch {
      // Anybody's retained rubbish: not ours to mend.
    }
  }
}
