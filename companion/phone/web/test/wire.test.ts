/** Whatever comes in, what comes out can be drawn. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { node, read, view } from "../src/wire.ts";

test("a message is known by its kind; everything left out has its default", () => {
  assert.equal(read({ t: "hello" }), null);
  for (const rubbish of [null, 1, "x", [], {}, { t: 1 }]) assert.equal(read(rubbish), null);
  const message = read({ t: "view" });
  assert.deepEqual([message?.revision, message?.view, message?.answer, message?.waiting], [0, null, null, false]);
});

test("an answer needs an id", () => {
  assert.equal(read({ t: "view", answer: { ok: true } })?.answer, null);
  const answer = read({ t: "view", answer: { id: "a", ok: false, refusal: { clause: "RS-1", text: "no", lawful: ["b", 3] } } })?.answer;
  assert.deepEqual(answer?.refusal, { clause: "RS-1", text: "no", lawful: ["b"] });
});

test("an endless tree ends", () => {
  let tree: object = { node: "line", text: "deep" };
  for (let depth = 0; depth < 100; depth += 1) tree = { node: "section", id: "s", nodes: [tree] };
  let made = node(tree);
  let depth = 0;
  while (made.nodes[0] !== undefined) {
    [made] = made.nodes as [typeof made];
    depth += 1;
  }
  assert.equal(depth, 8);
});

test("a curtain's content is private whoever says so", () => {
  assert.equal(node({ node: "curtain" }).private, true);
  assert.equal(node({ node: "line", private: true }).private, true);
  assert.equal(node({ node: "line" }).private, false);
});

/** A seeded generator: the same rubbish on every machine. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test("rubbish of every shape becomes a view of the right shape", () => {
  const roll = dice(2);
  const names = ["title", "sections", "prompts", "waits", "log", "node", "id", "text", "nodes", "stacks", "steps", "rows", "series", "choices", "amounts", "each", "total", "gestures", "command", "caution", "value", "count"];
  const any = (depth: number): unknown => {
    const kind = Math.floor(roll() * (depth > 5 ? 5 : 8));
    if (kind === 0) return null;
    if (kind === 1) return roll() < 0.5;
    if (kind === 2) return roll() * 1e9 - 5e8;
    if (kind === 3) return "<b>" + String(roll());
    if (kind === 4) return -0;
    if (kind === 5) return Array.from({ length: Math.floor(roll() * 4) }, () => any(depth + 1));
    return Object.fromEntries(Array.from({ length: Math.floor(roll() * 6) }, () => [names[Math.floor(roll() * names.length)], any(depth + 1)]));
  };
  for (let run = 0; run < 2000; run += 1) {
    const made = view(any(0));
    if (made === null) continue;
    for (const section of made.sections) assert.equal(typeof section.text, "string");
    for (const prompt of made.prompts) {
      assert.equal(Array.isArray(prompt.choices), true);
      for (const choice of prompt.choices) if (choice.amounts) assert.equal(choice.amounts.max >= choice.amounts.min, true);
    }
  }
});
