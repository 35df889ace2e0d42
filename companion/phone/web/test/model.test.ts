/** A press on the page, from question to answer, with line and time in the test's hands. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Model } from "../src/model.ts";
import { CHANGED_MS } from "../src/press.ts";
import { gone } from "../src/seat.ts";
import { Clock, Referee, SEAT } from "./fakes.ts";
import { box } from "./orders.test.ts";

const choice = { command: { do: "done", seat: "koi" }, text: "Done", mark: "ui/ok" };
const asking = (stamp: number, more: object = {}) => ({ revision: stamp, stamp, seat: "koi", view: { title: "T", prompts: [{ seat: "koi", text: "?", choices: [choice], ...more }] } });

function rig(kept = box()) {
  const clock = new Clock();
  const referee = new Referee();
  referee.greeting = { t: "welcome", ...asking(1) };
  let buzzed = 0;
  let claimed = 0;
  const model = new Model(SEAT, kept, "en", {
    dial: referee.dial,
    timers: clock,
    clock: () => 1_700_000_000_000 + clock.now(),
    isOld: () => Promise.resolve(false),
    buzz: () => (buzzed += 1),
    claim: () => (claimed += 1),
  });
  const online = (): void => {
    model.start();
    referee.events?.up();
    clock.pass(CHANGED_MS);
  };
  const press = (): void => {
    const prompt = model.state.view!.prompts[0]!;
    if (model.press()) model.play(prompt, prompt.choices[0]!);
  };
  const orders = () => referee.heard.filter(({ t }) => t === "order");
  return { clock, referee, model, kept, online, press, orders, buzzed: () => buzzed, claimed: () => claimed };
}

test("a press becomes one order with the stamp it saw; its answer settles it", () => {
  const { referee, model, online, press, orders, clock } = rig();
  online();
  press();
  const [order] = orders();
  assert.deepEqual([order?.["stamp"], order?.["command"]], [1, choice.command]);
  clock.pass(1000);
  press();
  assert.equal(orders().length, 1, "while the answer is on the way the question is answered");
  referee.say({ t: "view", ...asking(2), answer: { id: order?.["id"], ok: true, revision: 2, events: ["Koi is done."] } });
  assert.equal(model.state.waiting.length, 0);
  assert.deepEqual(model.state.done?.events, ["Koi is done."]);
  clock.pass(6000);
  assert.equal(model.state.done, null);
});

test("an order with amounts says how much of what, while it waits", () => {
  const { referee, model, online } = rig();
  online();
  referee.events?.down("lost");
  const prompt = model.state.view!.prompts[0]!;
  model.play(prompt, { ...prompt.choices[0]!, text: "To Lotus" }, { coins: 2, ronin: 0, war_tokens: 1 });
  assert.deepEqual(model.state.waiting.map(({ text }) => text), ["To Lotus: Coins 2, War tokens 1"]);
});

test("a new question locks the buttons for a moment, the same question does not", () => {
  const { referee, model, online, press, orders, clock } = rig();
  online();
  assert.equal(model.state.locked, false);
  referee.say({ t: "view", ...asking(2) });
  assert.equal(model.state.locked, true);
  press();
  assert.equal(orders().length, 0);
  clock.pass(CHANGED_MS);
  assert.equal(model.state.locked, false);
  referee.say({ t: "view", ...asking(2), revision: 3 });
  assert.equal(model.state.locked, false);
  press();
  assert.equal(orders().length, 1);
});

test("offline, the choice waits here and goes out once, when the table is back", () => {
  const { referee, model, online, press, orders, clock, kept } = rig();
  online();
  referee.events?.down("lost");
  press();
  assert.deepEqual(model.state.waiting.map(({ sent }) => sent), [false]);
  clock.pass(300);
  referee.events?.up();
  assert.equal(orders().length, 1);
  referee.say({ t: "view", ...asking(2), answer: { id: orders()[0]?.["id"], ok: true, revision: 2 } });
  referee.events?.down("lost");
  clock.pass(300);
  referee.events?.up();
  assert.equal(orders().length, 1);
  assert.equal([...kept.all.keys()].some((name) => name.startsWith("orders")), false);
});

test("an unanswered order is asked again in a new conversation under its own id", () => {
  const { referee, online, press, orders, clock } = rig();
  online();
  press();
  clock.pass(5000);
  assert.equal(referee.said.filter((t) => t === "hello").length, 2);
  assert.equal(orders().length, 2);
  assert.equal(orders()[0]?.["id"], orders()[1]?.["id"]);
});

test("a reload does not lose a choice that waited", () => {
  const first = rig();
  first.online();
  first.referee.events?.down("lost");
  first.press();
  const second = rig(first.kept);
  second.online();
  assert.equal(second.orders().length, 1);
  assert.equal(second.orders()[0]?.["stamp"], 1);
});

test("taken back in time, it is never sent", () => {
  const { referee, model, online, press, orders, clock } = rig();
  online();
  referee.events?.down("lost");
  press();
  model.takeBack(model.state.waiting[0]!);
  clock.pass(300);
  referee.events?.up();
  assert.equal(orders().length, 0);
});

test("a question that changed meanwhile: refused in words, and the new one can be answered", () => {
  const { referee, model, online, press, orders, clock } = rig();
  online();
  referee.events?.down("lost");
  press();
  referee.greeting = { t: "welcome", ...asking(5) };
  clock.pass(300);
  referee.events?.up();
  const refusal = { clause: "", text: "The question has changed.", lawful: [] };
  referee.say({ t: "view", ...asking(5), answer: { id: orders()[0]?.["id"], ok: false, revision: 5, refusal } });
  assert.equal(model.state.refused?.refusal.text, "The question has changed.");
  clock.pass(CHANGED_MS);
  press();
  assert.equal(orders()[1]?.["stamp"], 5);
  assert.equal(model.state.refused, null);
});

test("an older picture never replaces a newer one, but a welcome always counts", () => {
  const { referee, model, online } = rig();
  online();
  referee.say({ t: "view", ...asking(9) });
  referee.say({ t: "view", ...asking(4) });
  assert.equal(model.state.revision, 9);
  referee.greeting = { t: "welcome", ...asking(2) };
  model.resync();
  assert.equal(model.state.revision, 2);
});

test("the phone shakes once a question, over reloads too, and not for what is optional", () => {
  const first = rig();
  first.online();
  first.referee.say({ t: "view", ...asking(1), revision: 2 });
  first.clock.pass(1);
  assert.equal(first.buzzed(), 1);
  const second = rig(first.kept);
  second.online();
  assert.equal(second.buzzed(), 0);
  second.referee.say({ t: "view", ...asking(3, { optional: true }) });
  second.clock.pass(1);
  assert.equal(second.buzzed(), 0);
  second.referee.say({ t: "view", ...asking(4) });
  second.clock.pass(1);
  assert.equal(second.buzzed(), 1);
  second.model.setBuzz(false);
  second.referee.say({ t: "view", ...asking(5) });
  second.clock.pass(1);
  assert.equal(second.buzzed(), 1);
});

test("a seat that moved away leaves neither table nor orders nor key behind", () => {
  const { referee, model, online, press, kept } = rig();
  online();
  press();
  referee.say({ t: "revoked", revision: 0, stamp: 0, text: "Koi moved." });
  assert.deepEqual([model.state.door, model.state.doorText, model.state.view, model.state.waiting.length], ["revoked", "Koi moved.", null, 0]);
  assert.equal([...kept.all.keys()].some((name) => name.startsWith("seat.") || name.startsWith("orders.")), false);
});

test("a seat that moved away is not asked for again, not even by a reload; a new code is", () => {
  const first = rig();
  first.online();
  first.referee.say({ t: "revoked", revision: 0, stamp: 0 });
  const second = rig(first.kept);
  second.model.start();
  second.clock.pass(3_600_000);
  second.model.resync();
  assert.deepEqual([second.referee.dials, second.model.state.door], [0, "revoked"]);
  assert.equal(gone({ ...second.model.seat, key: new Uint8Array(32).fill(99) }, first.kept), false);
});

test("another window takes the seat, and this one takes it back on a press", () => {
  const { referee, model, online, claimed } = rig();
  online();
  model.yield();
  assert.deepEqual([model.state.door, model.state.view, model.state.status], ["moved", null, "offline"]);
  model.useHere();
  referee.events?.up();
  assert.equal(model.state.view?.title, "T");
  assert.equal(claimed(), 2);
});

test("settings are kept", () => {
  const first = rig();
  first.model.setTheme("night");
  first.model.setScale(150);
  first.model.speak("ru");
  const { state } = rig(first.kept).model;
  assert.deepEqual([state.theme, state.scale], ["night", 150]);
  assert.equal(first.kept.get("lang"), "ru");
});

test("rule texts are gathered as they come", () => {
  const { referee, model, online } = rig();
  online();
  referee.say({ t: "view", ...asking(1), clauses: { "RS-1": "One." } });
  referee.say({ t: "view", ...asking(1), clauses: { "RS-2": "Two.", constructor: 3 } });
  assert.deepEqual([...model.state.clauses], [["RS-1", "One."], ["RS-2", "Two."]]);
});
