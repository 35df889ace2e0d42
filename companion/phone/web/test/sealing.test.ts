/** The seal agrees byte for byte with the referee's, and opens nothing it must not. Vectors: the path in JINMAKU_VECTORS. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { constants, deflateSync } from "node:zlib";

import { Channel } from "../src/channel.ts";
import { pad, password, seal, UNKNOWN, unpad } from "../src/sealing.ts";
import { fragment, parse, topics, type Seat } from "../src/seat.ts";

interface Step {
  name: string;
  direction: "u" | "d";
  counter: number;
  nonce: string;
  content: string;
  plain: string;
  frame: string;
  topic: string;
}
interface Vectors {
  bond: { game: string; seat: string; epoch: number; key: string };
  fragment: string;
  password: string;
  phone: string;
  referee: string;
  script: Step[];
  refused: { name: string; last: number; awaits: boolean; frame: string }[];
  bad_fragments: string[];
}

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "hex"));
const vectors = JSON.parse(readFileSync(process.env["JINMAKU_VECTORS"] ?? "../../../tests/sync/vectors.json", "utf-8")) as Vectors;
const seat: Seat = { game: vectors.bond.game, seat: vectors.bond.seat, epoch: vectors.bond.epoch, key: hex(vectors.bond.key) };
const at = topics(seat);
const welcome = vectors.script.find((step) => step.name === "welcome") as Step;

test("the fragment says the seat and is written the same way", () => {
  assert.deepEqual(parse("#" + vectors.fragment), { seat });
  assert.equal(fragment(seat), "#" + vectors.fragment);
});

test("a bad fragment is nobody's seat", () => {
  for (const bad of vectors.bad_fragments) assert.ok("fault" in parse(bad), bad);
  assert.deepEqual(parse("#2." + vectors.fragment.slice(2)), { fault: "old" });
  assert.deepEqual(parse(""), { fault: "none" });
});

test("the broker's password is derived from the key", () => {
  assert.equal(password(seat.key), vectors.password);
});

test("every frame of the conversation is sealed to the same bytes", () => {
  for (const step of vectors.script) {
    assert.equal(Buffer.from(pad(step.content)).toString("hex"), step.plain, step.name);
    assert.equal(step.topic, step.direction === "u" ? at.up : at.down);
    const phone = step.name === "hello" ? UNKNOWN : hex(vectors.phone);
    const referee = step.name === "hello" || step.name === "welcome" ? UNKNOWN : hex(vectors.referee);
    const bound = { key: seat.key, game: seat.game, epoch: seat.epoch, direction: step.direction, topic: step.topic, phone, referee };
    assert.equal(Buffer.from(seal(bound, step.counter, step.content, hex(step.nonce))).toString("hex"), step.frame, step.name);
  }
});

test("content that the referee has squeezed is whole again, and what is cut off opens nothing", () => {
  const json = JSON.stringify({ t: "view", words: "Бусидо ".repeat(2000) });
  const squeezed = deflateSync(json, { level: 1 });
  const plain = new Uint8Array(8192);
  plain.set(squeezed, 4);
  new DataView(plain.buffer).setUint32(0, squeezed.length);
  assert.equal(unpad(plain), json);
  plain.fill(0, squeezed.length - 100);
  new DataView(plain.buffer).setUint32(0, squeezed.length - 200);
  assert.throws(() => unpad(plain));
});

test("squeezed content has its limit, and one frame leaves nothing in the next", () => {
  const squeezed = (text: string): Uint8Array => {
    const bytes = deflateSync(text, { level: 1, strategy: constants.Z_FIXED });
    const plain = new Uint8Array(2 ** Math.max(10, Math.ceil(Math.log2(bytes.length + 4))));
    plain.set(bytes, 4);
    new DataView(plain.buffer).setUint32(0, bytes.length);
    return plain;
  };
  const most = "a".repeat(2 ** 20);
  assert.equal(unpad(squeezed(most)), most);
  assert.equal(unpad(squeezed("short")), "short");
  assert.throws(() => unpad(squeezed(`${most}a`)), /limit/);
  assert.throws(() => unpad(squeezed("a".repeat(2 ** 21))), /limit/);
});

test("the phone hears the whole conversation in order", () => {
  const channel = new Channel(seat, at, hex(vectors.phone));
  for (const step of vectors.script.filter((each) => each.direction === "d")) {
    assert.deepEqual(channel.hear(hex(step.frame)), JSON.parse(step.content), step.name);
    assert.equal(channel.hear(hex(step.frame)), null, `${step.name} again`);
  }
});

for (const refused of vectors.refused) {
  test(`refused: ${refused.name}`, () => {
    const channel = new Channel(seat, at, hex(vectors.phone));
    if (!refused.awaits) channel.hear(hex(welcome.frame));
    // The channel has heard `last` frames: seal as many of our own for it, as the referee would.
    for (let count = 1; count <= refused.last; count += 1) {
      const bound = { key: seat.key, game: seat.game, epoch: seat.epoch, direction: "d" as const, topic: at.down, phone: hex(vectors.phone), referee: hex(vectors.referee) };
      assert.deepEqual(channel.hear(seal(bound, count, "{}")), {});
    }
    assert.equal(channel.hear(hex(refused.frame)), null);
  });
}
