/**
 * When a press counts: not within 150 ms of the last one, not within 300 ms of a new question.
 *
 * A late finger must never answer a question it has not seen (the referee's stamp catches it too, but being refused is worse than not
 * having pressed). Here: the two locks. Not here: clocks and buttons.
 */

/** tokens.toml touch.repeat_ms */
export const REPEAT_MS = 150;
export const CHANGED_MS = 300;

export class Press {
  #until = 0;
  #question = "";

  /** A question on the screen; the same one again changes nothing. */
  shows(question: string, now: number): void {
    if (question === this.#question) return;
    this.#question = question;
    this.#until = Math.max(this.#until, now + CHANGED_MS);
  }

  /** True when this press counts. */
  allows(now: number): boolean {
    if (now < this.#until) return false;
    this.#until = now + REPEAT_MS;
    return true;
  }

  /** Milliseconds until a press counts again. */
  left(now: number): number {
    return Math.max(0, this.#until - now);
  }
}
