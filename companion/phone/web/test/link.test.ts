/** The line to the referee, with time and wire in the test's hands. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { type Door, HELLO_MS, Link, PING_MS, type Status } from "../src/link.ts";
import type { Down } from "../src/wire.ts";
import { Clock, Referee, SEAT } from "./fakes.ts";

function rig(isOld: () => Promise<boolean> = () => Promise.resolve(false)) {
  const clock = new Clock();
  const referee = new Referee();
  const states: Status[] = [];
  const doors: Door[] = [];
  const downs: Down[] = [];
  const table: boolean[] = [];
  let connections = 0;
  const link = new Link(SEAT, "en", {
    dial: referee.dial,
    timers: clock,
    isOld,
    connection: () => `c${(connections += 1)}`,
    events: {
      status: (status) => states.push(status),
      door: (door) => doors.push(door),
      down: (message) => downs.push(message),
      table: (there) => table.push(there),
    },
  });
  const online = (): void => {
    link.start();
    referee.events?.up();
  };
  return { clock, referee, states, doors, downs, table, link, online };
}

test("online only after subscribing, hello, welcome and ready", () => {
  const { referee, states, downs, link } = rig();
  link.start();
  assert.deepEqual(referee.subscribed, [referee.topics.down, referee.topics.table]);
  assert.deepEqual(states, []);
  referee.answers = false;
  referee.events?.up();
  assert.deepEqual(states, ["catching"]);
  assert.deepEqual(referee.presence, [{ on: true, conn: "c1" }]);
  referee.answers = true;
  link.resync();
  assert.deepEqual(states, ["catching", "online"]);
  assert.deepEqual(referee.said, ["hello", "hello", "ready"]);
  assert.equal(downs[0]?.view?.title, "A table");
});

test("a hello without an answer is said again, freshly", () => {
  const { clock, referee, link } = rig();
  referee.answers = false;
  link.start();
  referee.events?.up();
  clock.pass(HELLO_MS - 1);
  assert.deepEqual(referee.said, ["hello"]);
  clock.pass(1);
  assert.deepEqual(referee.said, ["hello", "hello"]);
  assert.notEqual(referee.heard[0]?.["nonce"], referee.heard[1]?.["nonce"]);
});

test("after two hellos in vain the line itself is doubted, without calling it lost", () => {
  const { clock, referee, states, link } = rig();
  referee.answers = false;
  link.start();
  referee.events?.up();
  clock.pass(2 * HELLO_MS);
  assert.deepEqual([referee.dials, referee.closed, states], [2, 1, ["catching"]]);
  referee.answers = true;
  referee.events?.up();
  assert.deepEqual(states, ["catching", "online"]);
});

test("every lost line is dialled again, sooner at first, with a new conversation", () => {
  const { clock, referee, states, online } = rig();
  online();
  for (let lost = 1; lost <= 20; lost += 1) {
    referee.events?.down("lost");
    assert.equal(states[states.length - 1], "offline");
    clock.pass(300);
    assert.equal(referee.dials, lost + 1);
    referee.events?.up();
    assert.equal(states[states.length - 1], "online");
  }
  assert.equal(referee.said.filter((t) => t === "hello").length, 21);
});

test("a table that stays away is asked less and less often, but for ever", () => {
  const { clock, referee, link } = rig();
  link.start();
  for (let tried = 1; tried <= 30; tried += 1) {
    referee.events?.down("lost");
    clock.pass(8000);
    assert.equal(referee.dials, tried + 1);
  }
});

test("a line that was given up says nothing more", () => {
  const { clock, referee, downs, online } = rig();
  online();
  const old = referee.events;
  referee.events?.down("lost");
  clock.pass(300);
  const before = downs.length;
  old?.up();
  old?.frame(referee.topics.down, new Uint8Array(2000));
  old?.down("lost");
  assert.equal(downs.length, before);
  assert.equal(referee.dials, 2);
});

test("coming back to the foreground fetches the whole table, and dials at once when there is no line", () => {
  const { referee, states, link, online } = rig();
  online();
  link.resync();
  assert.deepEqual(states, ["catching", "online", "catching", "online"]);
  referee.events?.down("lost");
  link.resync();
  assert.equal(referee.dials, 2);
});

test("a referee that does not answer a ping is greeted anew", () => {
  const { clock, referee, states, online } = rig();
  online();
  clock.pass(PING_MS);
  assert.equal(referee.said[referee.said.length - 1], "ping");
  referee.say({ t: "view", revision: 1, stamp: 1, view: { title: "still here" } });
  clock.pass(HELLO_MS);
  assert.equal(states[states.length - 1], "online");
  clock.pass(PING_MS - HELLO_MS);
  referee.answers = false;
  clock.pass(HELLO_MS);
  assert.equal(states[states.length - 1], "catching");
});

test("whoever has just been heard is not pinged", () => {
  const { clock, referee, online } = rig();
  online();
  clock.pass(PING_MS - 1);
  referee.say({ t: "view", revision: 1, stamp: 1, view: { title: "still here" } });
  clock.pass(PING_MS - 1);
  assert.notEqual(referee.said[referee.said.length - 1], "ping");
  clock.pass(1);
  assert.equal(referee.said[referee.said.length - 1], "ping");
});

test("what the old conversation says after a new welcome is not heard: it would turn us away from ourselves", () => {
  const { referee, doors, link, online } = rig();
  online();
  const frames: Uint8Array[] = [];
  const { events } = referee;
  referee.events = { up: () => undefined, down: () => undefined, frame: (_topic, frame) => frames.push(frame) };
  referee.say({ t: "moved" });
  referee.events = events;
  link.resync();
  events?.frame(referee.topics.down, frames[0] as Uint8Array);
  assert.equal(doors.includes("moved"), false);
});

for (const t of ["revoked", "moved"] as const) {
  test(`${t} ends the line for good`, () => {
    const { clock, referee, states, doors, link, online } = rig();
    online();
    referee.say({ t, revision: 0, stamp: 0, text: "why" });
    assert.equal(doors[doors.length - 1], t);
    assert.equal(states[states.length - 1], "offline");
    clock.pass(600_000);
    link.resync();
    assert.equal(referee.dials, 1);
  });
}

test("an older page is told to reload", () => {
  const { referee, doors, online } = rig();
  referee.greeting = { t: "reload", proto: 2, revision: 0, stamp: 0 };
  online();
  assert.deepEqual(doors, ["old"]);
});

test("a code the broker does not know is tried again less and less often, at once by a look at the phone", () => {
  const { clock, referee, doors, link } = rig();
  link.start();
  referee.events?.down("refused");
  assert.deepEqual(doors, ["refused"]);
  clock.pass(14_999);
  assert.equal(referee.dials, 1);
  clock.pass(1);
  assert.equal(referee.dials, 2);
  referee.events?.down("refused");
  clock.pass(29_999);
  assert.equal(referee.dials, 2);
  link.resync();
  assert.equal(referee.dials, 3);
  for (let refused = 0; refused < 20; refused += 1) {
    referee.events?.down("refused");
    clock.pass(30 * 60_000);
  }
  assert.equal(referee.dials, 23);
});

test("after three hellos in vain the page asks whether it is old", async () => {
  let asked = 0;
  const { clock, referee, doors, link } = rig(() => {
    asked += 1;
    return Promise.resolve(true);
  });
  referee.answers = false;
  link.start();
  referee.events?.up();
  clock.pass(2 * HELLO_MS);
  referee.events?.up();
  assert.equal(asked, 1);
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual(doors, ["old"]);
});

test("a seat that waits for the table is online, but has no table", () => {
  const { referee, doors, downs, online } = rig();
  referee.greeting = { t: "welcome", revision: 0, stamp: 0, waiting: true, view: null };
  online();
  assert.deepEqual(doors, ["waiting"]);
  assert.equal(downs[0]?.view, null);
  referee.say({ t: "view", revision: 4, stamp: 4, view: {} });
  assert.deepEqual(doors, ["waiting", "open"]);
});

test("the broker's word that the table is away is passed on; its return is a reason to say hello", () => {
  const { referee, table, link } = rig();
  referee.answers = false;
  link.start();
  referee.events?.up();
  const presence = (text: string): void => referee.events?.frame(referee.topics.table, new TextEncoder().encode(text));
  for (const text of ["", "{", "null", "[]", '{"on":1}', '{"on":false,"conn":"x"}', '{"on":true,"conn":"y"}']) presence(text);
  assert.deepEqual(table, [false, true]);
  assert.deepEqual(referee.said, ["hello", "hello"]);
});

test("another table behind the same broker is greeted at once, the same one is not", () => {
  const { referee, online } = rig();
  const presence = (said: object): void => referee.events?.frame(referee.topics.table, new TextEncoder().encode(JSON.stringify(said)));
  online();
  presence({ on: true, conn: "a" });
  presence({ on: false, conn: "a" });
  presence({ on: true, conn: "a" });
  assert.deepEqual(referee.said, ["hello", "ready"]);
  presence({ on: false, conn: "a" });
  presence({ on: true, conn: "b" });
  assert.deepEqual(referee.said, ["hello", "ready", "hello", "ready"]);
});

test("a table that is away is looked for every second at first", () => {
  const { clock, referee, link } = rig();
  link.start();
  const dialled = (): number => referee.dials;
  referee.events?.down("lost");
  clock.pass(300);
  for (let n = 0; n < 120; n += 1) {
    const before = dialled();
    referee.events?.down("lost");
    clock.pass(1000);
    assert.equal(dialled(), before + 1);
  }
  const before = dialled();
  referee.events?.down("lost");
  clock.pass(1999);
  assert.equal(dialled(), before);
});

test("the language is said at once when online, and in the next hello when not", () => {
  const { clock, referee, link, online } = rig();
  online();
  link.speak("ru");
  assert.deepEqual(referee.heard[referee.heard.length - 1], { t: "lang", lang: "ru" });
  referee.events?.down("lost");
  clock.pass(300);
  referee.events?.up();
  assert.equal(referee.heard.filter(({ t }) => t === "hello")[1]?.["lang"], "ru");
});

test("nothing is sent without a conversation", () => {
  const { link, referee, online } = rig();
  assert.equal(link.send({ t: "ping" }), false);
  online();
  assert.equal(link.send({ t: "ping" }), true);
  link.stop();
  assert.equal(link.send({ t: "ping" }), false);
  assert.equal(referee.closed, 1);
});
