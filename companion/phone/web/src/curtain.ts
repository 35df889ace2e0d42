/**
 * When the curtain is open. Closing is always at once.
 *
 * One thumb cannot hold a pad and press a tile. So: hold to look (180 ms, closes on letting go); to act, slide the thumb from the pad onto
 * "keep 20 s" and let go there, as one locks a voice message: the curtain stays open while it is used, and closes 20 s after the last
 * touch, on a tap of the pad, on any choice made, and whenever the phone leaves the foreground. A second finger may also press what the
 * thumb uncovers. Keyboards and screen readers cannot hold: a press of theirs opens for the same 20 s. A quick tap opens nothing,
 * so that a stray touch never shows a secret.
 *
 * Here: that machine on injected timers. Not here: pointers and drawing (ui/Pad.tsx).
 */
import type { Timers } from "./link.ts";

/** tokens.toml touch.hold_ms */
export const HOLD_MS = 180;
export const KEEP_S = 20;
/** A thumb does not rest this long: something lies on the phone. */
const HELD_MAX_MS = 60_000;

export type Opening = "closed" | "held" | "kept";

export class Curtain {
  readonly #timers: Timers;
  readonly #changed: (opening: Opening, left: number) => void;
  #stop: () => void = () => undefined;
  #pressed = false;
  opening: Opening = "closed";
  /** Whole seconds until a kept curtain closes. */
  left = 0;

  constructor(timers: Timers, changed: (opening: Opening, left: number) => void) {
    this.#timers = timers;
    this.#changed = changed;
  }

  /** A finger came down on the pad. */
  press(): void {
    if (this.opening !== "closed") return;
    this.#pressed = true;
    this.#later(HOLD_MS, () => {
      this.#become("held");
      this.#later(HELD_MAX_MS, () => this.close());
    });
  }

  /** It went up again, on "keep" or anywhere else. */
  release(onKeep: boolean): void {
    if (!this.#pressed) return;
    this.#pressed = false;
    if (this.opening === "held" && onKeep) this.keep();
    else if (this.opening !== "kept") this.close();
  }

  keep(): void {
    this.left = KEEP_S;
    this.#become("kept");
    this.#count();
  }

  /** Something behind was touched: it is in use. */
  use(): void {
    if (this.opening === "kept") this.keep();
  }

  /** A press by keyboard or screen reader. */
  toggle(): void {
    if (this.opening === "closed") this.keep();
    else this.close();
  }

  close(): void {
    this.#stop();
    this.#pressed = false;
    this.left = 0;
    this.#become("closed");
  }

  #count(): void {
    this.#later(1000, () => {
      this.left -= 1;
      if (this.left <= 0) this.close();
      else {
        this.#changed(this.opening, this.left);
        this.#count();
      }
    });
  }

  #later(ms: number, then: () => void): void {
    this.#stop();
    this.#stop = this.#timers.after(ms, then);
  }

  #become(opening: Opening): void {
    const same = opening === this.opening && opening === "closed";
    this.opening = opening;
    if (!same) this.#changed(opening, this.left);
  }
}
