/**
 * Sealed frames: what travels between this phone and the referee, readable by nobody between them.
 *
 * Here: bytes in, bytes out, and the broker's password. Not here: when to say hello (link.ts), what the JSON means (wire.ts).
 * The twin of companion/sync/sealing.py; both are held to the same vectors (tests/sync/vectors.json).
 */
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { blake2b } from "@noble/hashes/blake2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { unzlibSync } from "fflate";

export const VERSION = 2;
export const NONCE = 16;
/** version u8 | epoch u16 | counter u64 | nonce 24 */
const HEAD = 1 + 2 + 8 + 24;
const TAG = 16;
const PAD_MIN = 1024;
/** How zlib's stream begins, and JSON never does. */
const SQUEEZED = 0x78;
/** Content the referee never passes, squeezed or whole: what is longer is not for us. */
const CONTENT_MAX = 1 << 20;

export type Direction = "u" | "d";

/** What a frame is bound to; a frame sealed under one binding opens under no other. */
export interface Binding {
  key: Uint8Array;
  topic: string;
  game: string;
  epoch: number;
  direction: Direction;
  phone: Uint8Array;
  referee: Uint8Array;
}

export interface Head {
  version: number;
  epoch: number;
  counter: number;
}

/** A nonce not known yet, in hello and welcome. */
export const UNKNOWN: Uint8Array = new Uint8Array(NONCE);

/** `crypto.getRandomValues` is there on plain http; nothing else of `crypto` is used anywhere. */
export function random(size: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(size));
}

export function base64url(bytes: Uint8Array): string {
  let raw = "";
  for (const byte of bytes) raw += String.fromCharCode(byte);
  return btoa(raw).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Throws on anything that is not unpadded base64url. */
export function unbase64url(text: string): Uint8Array {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new Error("not base64url");
  const raw = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(raw, (letter) => letter.charCodeAt(0));
}

/** The MQTT password of a seat's key: the broker never learns the key. */
export function password(key: Uint8Array): string {
  const personalization = new Uint8Array(16);
  personalization.set(new TextEncoder().encode("jinmaku-mqtt"));
  return bytesToHex(blake2b(new Uint8Array(0), { key, personalization, dkLen: 32 }));
}

function putCounter(view: DataView, at: number, counter: number): void {
  view.setUint32(at, Math.floor(counter / 2 ** 32));
  view.setUint32(at + 4, counter >>> 0);
}

function associated(bound: Binding, counter: number): Uint8Array {
  const utf8 = new TextEncoder();
  const topic = utf8.encode(bound.topic);
  const game = utf8.encode(bound.game);
  const out = new Uint8Array(topic.length + 1 + game.length + 1 + 2 + 1 + NONCE + NONCE + 8);
  const view = new DataView(out.buffer);
  let at = 0;
  out.set(topic, at);
  at += topic.length + 1;
  out.set(game, at);
  at += game.length + 1;
  view.setUint16(at, bound.epoch);
  out[at + 2] = bound.direction.charCodeAt(0);
  out.set(bound.phone, at + 3);
  out.set(bound.referee, at + 3 + NONCE);
  putCounter(view, at + 3 + 2 * NONCE, counter);
  return out;
}

/** u32 length | JSON | zeros, to a power of two of at least 1 kB: lengths tell nothing. */
export function pad(json: string): Uint8Array {
  const text = new TextEncoder().encode(json);
  let size = PAD_MIN;
  while (size < text.length + 4) size *= 2;
  const out = new Uint8Array(size);
  new DataView(out.buffer).setUint32(0, text.length);
  out.set(text, 4);
  return out;
}

/** Strict, so that one content has one form; what the referee has squeezed is whole again. Throws when the length does not fit or the text is not UTF-8. */
export function unpad(plain: Uint8Array): string {
  if (plain.length < PAD_MIN || (plain.length & (plain.length - 1)) !== 0) throw new Error("padding is not a power of two");
  const size = new DataView(plain.buffer, plain.byteOffset).getUint32(0);
  if (size > plain.length - 4) throw new Error("length does not fit");
  for (let at = 4 + size; at < plain.length; at += 1) if (plain[at] !== 0) throw new Error("padding is not zero");
  const content = plain.subarray(4, 4 + size);
  return new TextDecoder("utf-8", { fatal: true }).decode(content[0] === SQUEEZED ? stretched(content) : content);
}

/** Where squeezed content becomes whole again, which takes a third of the time where nothing has to grow; one byte more than may be filled. */
const ROOM = new Uint8Array(CONTENT_MAX + 1);

function stretched(content: Uint8Array): Uint8Array {
  const whole = unzlibSync(content, { out: ROOM });
  if (whole.length > CONTENT_MAX) throw new Error("content is over the limit");
  return whole;
}

/** The readable part of a frame, not yet believed; null when it cannot be a frame at all. */
export function head(frame: Uint8Array): Head | null {
  if (frame.length < HEAD + TAG + PAD_MIN || frame.length > HEAD + TAG + CONTENT_MAX) return null;
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const counter = view.getUint32(3) * 2 ** 32 + view.getUint32(7);
  if (!Number.isSafeInteger(counter)) return null;
  return { version: view.getUint8(0), epoch: view.getUint16(1), counter };
}

/** `nonce` is given only by tests that compare with vectors. */
export function seal(bound: Binding, counter: number, json: string, nonce: Uint8Array = random(24)): Uint8Array {
  const body = xchacha20poly1305(bound.key, nonce, associated(bound, counter)).encrypt(pad(json));
  const frame = new Uint8Array(HEAD + body.length);
  const view = new DataView(frame.buffer);
  view.setUint8(0, VERSION);
  view.setUint16(1, bound.epoch);
  putCounter(view, 3, counter);
  frame.set(nonce, 11);
  frame.set(body, HEAD);
  return frame;
}

/** The JSON text, or null: forged, foreign, cut or of another connection are all one to us. */
export function open(bound: Binding, frame: Uint8Array): string | null {
  const top = head(frame);
  if (top === null || top.version !== VERSION || top.epoch !== bound.epoch) return null;
  try {
    const cipher = xchacha20poly1305(bound.key, frame.subarray(11, HEAD), associated(bound, top.counter));
    return unpad(cipher.decrypt(frame.subarray(HEAD)));
  } catch {
    return null;
  }
}
