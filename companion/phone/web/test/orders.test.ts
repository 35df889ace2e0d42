/** Orders on the way: one id each for ever, over reloads, settled once. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { Keep } from "../src/keep.ts";
import { Orders } from "../src/orders.ts";

export function box(): Keep & { all: Map<string, unknown> } {
  const all = new Map<string, unknown>();
  return { all, get: (name) => structuredClone(all.get(name)), put: (name, value) => void all.set(name, structuredClone(value)), drop: (name) => void all.delete(name) };
}

const what = { stamp: 7, command: { do: "done", seat: "koi" }, text: "Done", mark: "", private: false };
const answer = (id: string, ok = true) => ({ id, ok, revision: 8, events: [], refusal: ok ? null : { clause: "RS-1", text: "no", lawful: [] } });

test("an order keeps its id over a reload and is sent under it again", () => {
  const kept = box();
  const order = new Orders(kept, "g.koi").add(what);
  const again = new Orders(kept, "g.koi");
  assert.equal(again.waiting.length, 1);
  assert.deepEqual(again.message(again.waiting[0]!), { t: "order", id: order.id, stamp: 7, command: what.command });
  assert.equal(new Orders(kept, "g.koi").waiting[0]?.sent, true);
});

test("two orders never share an id", () => {
  const orders = new Orders(box(), "g.koi");
  assert.equal(new Set(Array.from({ length: 100 }, () => orders.add(what).id)).size, 100);
});

test("what has not left can be taken back; what has left cannot", () => {
  const orders = new Orders(box(), "g.koi");
  const first = orders.add(what);
  const second = orders.add(what);
  orders.message(second);
  assert.equal(orders.takeBack(first.id), true);
  assert.equal(orders.takeBack(second.id), false);
  assert.equal(orders.takeBack("nobody"), false);
  assert.deepEqual(orders.waiting.map(({ id }) => id), [second.id]);
});

test("an answer settles its own order, once", () => {
  const kept = box();
  const orders = new Orders(kept, "g.koi");
  const { id } = orders.add(what);
  assert.equal(orders.settle(answer("another")), null);
  assert.equal(orders.settle(answer(id))?.order.id, id);
  assert.equal(orders.settle(answer(id)), null);
  assert.equal(kept.all.size, 0);
});

test("a refusal says what was refused and why", () => {
  const orders = new Orders(box(), "g.koi");
  const refused = orders.settle(answer(orders.add(what).id, false))?.refused;
  assert.equal(refused?.text, "Done");
  assert.equal(refused?.refusal.clause, "RS-1");
  const silent = { ...answer(orders.add(what).id, false), refusal: null };
  assert.deepEqual(orders.settle(silent)?.refused?.refusal, { clause: "", text: "", lawful: [] });
});

test("rubbish in the store is no order", () => {
  for (const rubbish of [null, 3, "x", {}, [null], [{}], [{ id: 1 }], [[]]]) {
    const kept = box();
    kept.put("orders.g.koi", rubbish);
    assert.deepEqual(new Orders(kept, "g.koi").waiting, []);
  }
});
