/** Press, curtain, keep, seat, words: small machines, each alone. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Curtain, HOLD_MS, KEEP_S, type Opening } from "../src/curtain.ts";
import { keep } from "../src/keep.ts";
import { CHANGED_MS, Press, REPEAT_MS } from "../src/press.ts";
import { base64url, random, unbase64url } from "../src/sealing.ts";
import { forget, fragment, remember, remembered } from "../src/seat.ts";
import { LANGUAGES, preferred, speaker } from "../src/words.ts";
import { brokerUrl } from "../src/mqtt.ts";
import { Clock, SEAT } from "./fakes.ts";
import { box } from "./orders.test.ts";

test("a press too soon after the last one does not count", () => {
  const press = new Press();
  assert.equal(press.allows(1000), true);
  assert.equal(press.allows(1000 + REPEAT_MS - 1), false);
  assert.equal(press.allows(1000 + REPEAT_MS), true);
});

test("a new question must have been seen before it is answered; the same one again changes nothing", () => {
  const press = new Press();
  press.shows("7", 1000);
  assert.equal(press.allows(1000 + CHANGED_MS - 1), false);
  assert.equal(press.left(1000), CHANGED_MS);
  press.shows("7", 1200);
  assert.equal(press.allows(1000 + CHANGED_MS), true);
});

function cloth() {
  const clock = new Clock();
  const seen: [Opening, number][] = [];
  return { clock, seen, curtain: new Curtain(clock, (opening, left) => seen.push([opening, left])) };
}

test("the curtain opens when held long enough and closes on letting go", () => {
  const { clock, seen, curtain } = cloth();
  curtain.press();
  clock.pass(HOLD_MS - 1);
  assert.equal(curtain.opening, "closed");
  clock.pass(1);
  assert.equal(curtain.opening, "held");
  curtain.release(false);
  assert.deepEqual(seen.map(([opening]) => opening), ["held", "closed"]);
});

test("a tap opens nothing, not even later", () => {
  const { clock, curtain } = cloth();
  curtain.press();
  clock.pass(50);
  curtain.release(false);
  clock.pass(10_000);
  assert.equal(curtain.opening, "closed");
});

test("let go on keep, it stays open for twenty seconds after the last use", () => {
  const { clock, curtain } = cloth();
  curtain.press();
  clock.pass(HOLD_MS);
  curtain.release(true);
  clock.pass((KEEP_S - 1) * 1000);
  assert.deepEqual([curtain.opening, curtain.left], ["kept", 1]);
  curtain.use();
  assert.equal(curtain.left, KEEP_S);
  clock.pass(KEEP_S * 1000);
  assert.equal(curtain.opening, "closed");
});

test("a press on the pad of a kept curtain does not begin a hold; a key toggles", () => {
  const { clock, curtain } = cloth();
  curtain.toggle();
  assert.equal(curtain.opening, "kept");
  curtain.press();
  curtain.release(false);
  assert.equal(curtain.opening, "kept");
  curtain.toggle();
  clock.pass(60_000);
  assert.equal(curtain.opening, "closed");
});

test("something lying on the pad does not hold it for ever", () => {
  const { clock, curtain } = cloth();
  curtain.press();
  clock.pass(HOLD_MS + 60_000);
  assert.equal(curtain.opening, "closed");
});

test("closing is told once, and may happen at any time", () => {
  const { clock, seen, curtain } = cloth();
  curtain.close();
  assert.deepEqual(seen, []);
  curtain.press();
  curtain.close();
  clock.pass(1000);
  assert.equal(curtain.opening, "closed");
});

test("base64url goes there and back and takes nothing else", () => {
  for (let size = 0; size < 40; size += 1) {
    const bytes = random(size);
    assert.deepEqual(unbase64url(base64url(bytes)), bytes);
  }
  assert.throws(() => unbase64url("a+b/"));
});

test("the seat in the address wins, except over a newer key for the same seat; without one, the last seat", () => {
  const kept = box();
  assert.deepEqual(remembered("", kept), { fault: "none" });
  assert.deepEqual(remembered(fragment(SEAT), kept), { seat: SEAT });
  const newer = { ...SEAT, epoch: 4, key: random(32) };
  remember(newer, kept);
  assert.deepEqual(remembered(fragment(SEAT), kept), { seat: newer });
  assert.deepEqual(remembered("", kept), { seat: newer });
  const lotus = { ...SEAT, seat: "lotus", epoch: 1 };
  assert.deepEqual(remembered(fragment(lotus), kept), { seat: lotus });
  forget(SEAT, kept);
  assert.deepEqual(remembered("", kept), { seat: newer }, "an older key is not this one");
  forget(newer, kept);
  assert.deepEqual(remembered("", kept), { fault: "none" });
  assert.deepEqual(remembered("#1.rubbish", kept), { fault: "bad" });
});

test("without localStorage the page remembers for as long as it is open", () => {
  keep.put("thing", { a: 1 });
  assert.deepEqual(keep.get("thing"), { a: 1 });
  keep.drop("thing");
  assert.equal(keep.get("thing"), undefined);
});

test("every language fills the same blanks", () => {
  const blanks = (text: string): string[] => (text.match(/\{[a-z]+\}/g) ?? []).sort();
  const en = speaker("en");
  for (const { lang } of LANGUAGES) {
    const say = speaker(lang);
    for (const word of ["play", "total", "totalFrom", "less", "more", "holdOld", "instead", "asOf", "rule", "keptLeft"] as const) {
      assert.deepEqual(blanks(say(word)), blanks(en(word)), `${lang} ${word}`);
    }
  }
  assert.equal(en("play", { what: "Recruit" }), "Play Recruit");
  assert.equal(speaker("xx")("online").length > en("online").length * 1.4, true);
});

test("the browser's languages choose ours", () => {
  assert.equal(preferred(["de-DE", "ru-RU", "en"]), "ru");
  assert.equal(preferred(["ja"]), "en");
  assert.equal(preferred([]), "en");
});

test("the broker is where the page came from", () => {
  assert.equal(brokerUrl({ protocol: "http:", host: "10.0.0.7:8788" }), "ws://10.0.0.7:8788/mqtt");
  assert.equal(brokerUrl({ protocol: "https:", host: "table.local" }), "wss://table.local/mqtt");
});
