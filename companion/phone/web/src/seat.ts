/**
 * Which seat this phone is: read from the QR's fragment, kept by game id.
 *
 * Here: parsing, remembering, topics. The fragment never goes to a server and stays in the address, so that a reload, a
 * bookmark or a restored tab is the same seat again. Not here: talking (link.ts).
 */
import type { Keep } from "./keep.ts";
import { base64url, password, unbase64url } from "./sealing.ts";

export const PROTOCOL = 1;

export interface Seat {
  game: string;
  seat: string;
  epoch: number;
  key: Uint8Array;
}

/** none: no code at all; bad: cut or mistyped; old: made for a newer page than this one. */
export type Found = { seat: Seat } | { fault: "none" | "bad" | "old" };

/** `#1.<game>.<seat>.<epoch>.<key>` */
export function parse(fragment: string): Found {
  const text = fragment.replace(/^#/, "");
  if (text === "") return { fault: "none" };
  const parts = text.split(".");
  if (/^[0-9]{1,4}$/.test(parts[0] ?? "") && Number(parts[0]) > PROTOCOL) return { fault: "old" };
  const match = /^1\.([a-z0-9]{8})\.([a-z0-9_]{1,32})\.(0|[1-9][0-9]{0,4})\.([A-Za-z0-9_-]{43})$/.exec(text);
  if (match === null) return { fault: "bad" };
  const [, game = "", seat = "", epoch = "", key = ""] = match;
  if (Number(epoch) > 0xffff || seat === "table" || seat === "guest") return { fault: "bad" };
  return { seat: { game, seat, epoch: Number(epoch), key: unbase64url(key) } };
}

export function fragment(seat: Seat): string {
  return `#${PROTOCOL}.${seat.game}.${seat.seat}.${seat.epoch}.${base64url(seat.key)}`;
}

function stored(keep: Keep, game: string): Seat | null {
  const text = keep.get(`seat.${game}`);
  const found = typeof text === "string" ? parse(text) : { fault: "bad" };
  return "seat" in found && found.seat.game === game ? found.seat : null;
}

/**
 * The seat to sit in. The address wins, except over a newer key for the very same seat that this phone was given later
 * (an old tab brought back); without an address, the seat held last.
 */
export function remembered(hash: string, keep: Keep): Found {
  const found = parse(hash);
  if ("seat" in found) {
    const kept = stored(keep, found.seat.game);
    return kept !== null && kept.seat === found.seat.seat && kept.epoch > found.seat.epoch ? { seat: kept } : found;
  }
  if (found.fault !== "none") return found;
  const last = keep.get("last");
  const kept = typeof last === "string" ? stored(keep, last) : null;
  return kept === null ? found : { seat: kept };
}

export function remember(seat: Seat, keep: Keep): void {
  keep.put(`seat.${seat.game}`, fragment(seat));
  keep.put("last", seat.game);
}

/** The referee took this key back. The address still carries it: a reload must not knock with it again. */
export function forget(seat: Seat, keep: Keep): void {
  keep.put(`gone.${seat.game}`, password(seat.key));
  const kept = stored(keep, seat.game);
  if (kept !== null && kept.seat === seat.seat && kept.epoch === seat.epoch) keep.drop(`seat.${seat.game}`);
}

/** By key, not by epoch: an epoch whose code was turned down may be given out again. */
export function gone(seat: Seat, keep: Keep): boolean {
  return keep.get(`gone.${seat.game}`) === password(seat.key);
}

export interface Topics {
  up: string;
  down: string;
  /** Who sits here: this phone's birth and will. */
  presence: string;
  /** Whether the referee itself is there. */
  table: string;
}

export function topics(seat: Seat): Topics {
  const root = `jinmaku/${PROTOCOL}/${seat.game}`;
  return {
    up: `${root}/seat/${seat.seat}/up`,
    down: `${root}/seat/${seat.seat}/down`,
    presence: `${root}/presence/${seat.seat}`,
    table: `${root}/presence/table`,
  };
}
