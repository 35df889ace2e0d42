/**
 * The page's one state, and everything a press or a message does to it.
 *
 * Here: joining link, orders and settings into one picture that the drawing reads. Not here: DOM (ui/), wire format, timers of widgets.
 */
import { amountName } from "./choices.ts";
import { type Dial, type Door, Link, type Status, type Timers } from "./link.ts";
import { type Order, Orders, type Refused } from "./orders.ts";
import { Press } from "./press.ts";
import { base64url, random } from "./sealing.ts";
import { forget, gone, remember, type Seat } from "./seat.ts";
import type { Keep } from "./keep.ts";
import type { Choice, Down, Prompt, View } from "./wire.ts";
import type { Lang } from "./words.ts";

export type Theme = "auto" | "day" | "night";
export const SCALES = [100, 125, 150, 200] as const;

export interface State {
  status: Status;
  door: Door;
  /** Why the door is shut, in the referee's words; "": say it in ours. */
  doorText: string;
  /** The referee is there, as far as the broker knows. */
  table: boolean;
  view: View | null;
  revision: number;
  stamp: number;
  /** When the view came, in milliseconds since 1970; 0: never. */
  asOf: number;
  clauses: ReadonlyMap<string, string>;
  waiting: readonly Order[];
  refused: Refused | null;
  /** What the last accepted order caused. */
  done: { id: string; events: string[]; private: boolean } | null;
  /** A press does not count now. */
  locked: boolean;
  lang: Lang;
  theme: Theme;
  scale: number;
  buzz: boolean;
}

export interface Extras {
  dial: Dial;
  timers: Timers;
  /** Milliseconds since 1970. */
  clock: () => number;
  isOld: () => Promise<boolean>;
  /** It is this seat's turn: shake, if that is possible. */
  buzz: () => void;
  /** Of this browser's windows, this one is the seat. */
  claim: () => void;
}

/** An order without an answer for this long is asked again. */
const ANSWER_MS = 5000;
const DONE_MS = 6000;

/** What was chosen, with how much of what. */
function spelled(prompt: Prompt, choice: Choice, amounts: Record<string, number> | null, view: View | null): string {
  const much = Object.entries(amounts ?? {}).filter(([, n]) => n > 0);
  if (view === null || much.length === 0) return choice.text;
  return `${choice.text}: ${much.map(([name, n]) => `${amountName(name, view, prompt.seat).text} ${n}`).join(", ")}`;
}

export class Model {
  readonly seat: Seat;
  #state: State;
  readonly #keep: Keep;
  readonly #extras: Extras;
  readonly #orders: Orders;
  readonly #link: Link;
  readonly #press = new Press();
  readonly #watchers = new Set<() => void>();
  #remembered = false;
  #unlock: () => void = () => undefined;
  #ask: () => void = () => undefined;
  #hush: () => void = () => undefined;

  constructor(seat: Seat, keep: Keep, lang: Lang, extras: Extras) {
    this.seat = seat;
    this.#keep = keep;
    this.#extras = extras;
    this.#orders = new Orders(keep, `${seat.game}.${seat.seat}`);
    const theme = keep.get("theme");
    const scale = keep.get("scale");
    this.#state = {
      status: "offline",
      door: "open",
      doorText: "",
      table: true,
      view: null,
      revision: 0,
      stamp: 0,
      asOf: 0,
      clauses: new Map(),
      waiting: this.#orders.waiting,
      refused: null,
      done: null,
      locked: true,
      lang,
      theme: theme === "day" || theme === "night" ? theme : "auto",
      scale: SCALES.find((each) => each === scale) ?? 100,
      buzz: keep.get("buzz") !== false,
    };
    this.#link = new Link(seat, lang, {
      dial: extras.dial,
      timers: extras.timers,
      isOld: extras.isOld,
      connection: () => base64url(random(9)),
      events: {
        status: (status) => this.#statusIs(status),
        door: (door, text) => this.#doorIs(door, text),
        down: (message) => this.#take(message),
        table: (table) => this.#set({ table }),
      },
    });
  }

  get state(): State {
    return this.#state;
  }

  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  start(): void {
    if (gone(this.seat, this.#keep)) {
      this.#doorIs("revoked", ""); // dialling again would only be refused, for ever
      return;
    }
    this.#extras.claim();
    this.#link.start();
  }

  /** The page came back to the foreground. */
  resync(): void {
    this.#link.resync();
  }

  /** Another window of this phone took the seat. */
  yield(): void {
    this.#link.stop();
    this.#doorIs("moved", "");
  }

  useHere(): void {
    this.#set({ door: "open", doorText: "" });
    this.start();
  }

  speak(lang: Lang): void {
    this.#keep.put("lang", lang);
    this.#set({ lang });
    this.#link.speak(lang);
  }

  setTheme(theme: Theme): void {
    this.#keep.put("theme", theme);
    this.#set({ theme });
  }

  setScale(scale: number): void {
    this.#keep.put("scale", scale);
    this.#set({ scale });
  }

  setBuzz(buzz: boolean): void {
    this.#keep.put("buzz", buzz);
    this.#set({ buzz });
  }

  /** Whether a press counts now; if so, the next ones do not for a moment. */
  press(): boolean {
    const counts = this.#press.allows(this.#extras.timers.now());
    this.#lock();
    return counts;
  }

  /** Plays a choice of a prompt, with its amounts filled in. Nothing while an earlier answer to the same question is on the way. */
  play(prompt: Prompt, choice: Choice, amounts: Record<string, number> | null = null): void {
    const { stamp } = this.#state;
    if (this.#orders.waiting.some((order) => order.stamp === stamp)) return;
    const command = amounts === null ? choice.command : { ...choice.command, amounts };
    this.#orders.add({ stamp, command, text: spelled(prompt, choice, amounts, this.#state.view), mark: choice.mark, private: prompt.private });
    this.#set({ refused: null, done: null });
    this.#sendWaiting();
  }

  takeBack(order: Order): void {
    this.#orders.takeBack(order.id);
    this.#set({ waiting: this.#orders.waiting });
  }

  dismiss(): void {
    this.#set({ refused: null, done: null });
  }

  #set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    for (const changed of this.#watchers) changed();
  }

  #lock(): void {
    this.#unlock();
    this.#unlock = () => undefined;
    const { timers } = this.#extras;
    const left = this.#press.left(timers.now());
    if (this.#state.locked !== left > 0) this.#set({ locked: left > 0 });
    if (left > 0) this.#unlock = timers.after(left, () => this.#lock());
  }

  #statusIs(status: Status): void {
    this.#set({ status });
    if (status === "online") this.#sendWaiting();
  }

  #doorIs(door: Door, text: string): void {
    if (door === "revoked") {
      forget(this.seat, this.#keep);
      this.#orders.clear();
    }
    const left = door === "revoked" || door === "moved";
    this.#set({ door, doorText: text, ...(left ? { view: null, waiting: this.#orders.waiting } : {}) });
  }

  #sendWaiting(): void {
    this.#ask();
    for (const order of this.#orders.waiting) {
      if (this.#state.status === "online" && this.#state.door === "open") this.#link.send(this.#orders.message(order));
    }
    this.#set({ waiting: this.#orders.waiting });
    // A lost answer: a fresh hello, whose welcome sends the order again under the same id.
    if (this.#orders.waiting.length > 0) this.#ask = this.#extras.timers.after(ANSWER_MS, () => this.#link.resync());
  }

  #take(message: Down): void {
    const change: Partial<State> = {};
    const older = message.t === "view" && message.revision < this.#state.revision;
    if (message.view !== null && !older) {
      if (!this.#remembered) remember(this.seat, this.#keep);
      this.#remembered = true; // once is enough: storage is slow
      Object.assign(change, { view: message.view, revision: message.revision, stamp: message.stamp, asOf: this.#extras.clock() });
    }
    if (message.clauses.size > 0) change.clauses = new Map([...this.#state.clauses, ...message.clauses]);
    const settled = message.answer === null ? null : this.#orders.settle(message.answer);
    if (settled !== null) {
      change.waiting = this.#orders.waiting;
      change.refused = settled.refused;
      change.done = settled.refused === null ? { id: settled.order.id, events: message.answer?.events ?? [], private: settled.order.private } : null;
      if (this.#orders.waiting.length === 0) this.#ask();
      if (change.done) this.#hushLater();
    }
    this.#set(change);
    this.#question();
  }

  #hushLater(): void {
    this.#hush();
    this.#hush = this.#extras.timers.after(DONE_MS, () => this.#set({ done: null }));
  }

  /** A new question: buttons wait for the eye, the phone shakes once. */
  #question(): void {
    const { view, stamp } = this.#state;
    if (view === null) return;
    this.#press.shows(`${stamp}`, this.#extras.timers.now());
    this.#lock();
    if (!view.prompts.some((prompt) => !prompt.optional)) return;
    // After the drawing: storage and the motor are slow.
    this.#extras.timers.after(0, () => this.#shake(stamp));
  }

  /** Once a question, over reloads too. */
  #shake(stamp: number): void {
    const name = `buzzed.${this.seat.game}`;
    if (this.#keep.get(name) === stamp) return;
    this.#keep.put(name, stamp);
    if (this.#state.buzz) this.#extras.buzz();
  }
}
