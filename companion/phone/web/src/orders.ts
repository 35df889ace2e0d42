/**
 * The choices made on this phone that the referee has not answered yet.
 *
 * Here: one order from tap to answer, across reloads; each has one id for ever, so that sending it again is harmless. Not here: when to
 * send (link.ts), how it looks.
 */
import type { Keep } from "./keep.ts";
import { base64url, random } from "./sealing.ts";
import type { Answer, Refusal } from "./wire.ts";

export interface Order {
  id: string;
  stamp: number;
  command: Record<string, unknown>;
  /** What the button said, to show what waits; a private one is never shown outside the curtain. */
  text: string;
  mark: string;
  private: boolean;
  /** It has left this phone at least once: too late to take back. */
  sent: boolean;
}

export interface Refused {
  text: string;
  mark: string;
  private: boolean;
  refusal: Refusal;
}

const UNKNOWN_REASON: Refusal = { clause: "", text: "", lawful: [] };

export class Orders {
  readonly #keep: Keep;
  readonly #name: string;
  #waiting: Order[];

  constructor(keep: Keep, name: string) {
    this.#keep = keep;
    this.#name = `orders.${name}`;
    this.#waiting = restored(keep.get(this.#name));
  }

  get waiting(): readonly Order[] {
    return this.#waiting;
  }

  add(what: Omit<Order, "id" | "sent">): Order {
    const order = { ...what, id: base64url(random(16)), sent: false };
    this.#save([...this.#waiting, order]);
    return order;
  }

  /** The message for the wire; from now on it may have arrived. */
  message(order: Order): object {
    if (!order.sent) this.#save(this.#waiting.map((each) => (each.id === order.id ? { ...each, sent: true } : each)));
    return { t: "order", id: order.id, stamp: order.stamp, command: order.command };
  }

  /** False when it has already left. */
  takeBack(id: string): boolean {
    const order = this.#waiting.find((each) => each.id === id);
    if (order === undefined || order.sent) return false;
    this.#save(this.#waiting.filter((each) => each.id !== id));
    return true;
  }

  /** The order this answers, settled; null when it is not one of ours (or settled before: an answer counts once). */
  settle(answer: Answer): { order: Order; refused: Refused | null } | null {
    const order = this.#waiting.find((each) => each.id === answer.id);
    if (order === undefined) return null;
    this.#save(this.#waiting.filter((each) => each.id !== answer.id));
    if (answer.ok) return { order, refused: null };
    const { text, mark, private: hidden } = order;
    return { order, refused: { text, mark, private: hidden, refusal: answer.refusal ?? UNKNOWN_REASON } };
  }

  clear(): void {
    this.#save([]);
  }

  #save(orders: Order[]): void {
    this.#waiting = orders;
    if (orders.length === 0) this.#keep.drop(this.#name);
    else this.#keep.put(this.#name, orders);
  }
}

function restored(value: unknown): Order[] {
  if (!Array.isArray(value)) return [];
  return value.filter((each: Partial<Order> | null): each is Order => {
    const shape = typeof each === "object" && each !== null;
    return shape && typeof each.id === "string" && typeof each.stamp === "number" && typeof each.command === "object" && typeof each.text === "string";
  });
}
