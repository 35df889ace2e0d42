/** Which drawing fits a view, where choices lead, pairs in two steps, and what stays the same from one picture to the next. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { BOARDS } from "../build/boards.ts";
import { Names, inSteps, lay } from "../src/choices.ts";
import { type Drawing, byPlace, counted, fitting, leads } from "../src/drawing.ts";
import { share } from "../src/share.ts";
import { type Node, type Prompt, node, view } from "../src/wire.ts";

const area = (id: string) => ({ id, outline: "m0 0", label: [0, 0], few: [], pitch: 1, strongholds: [] });
const drawing: Drawing = { size: [10, 10], shrine: 1, zones: [area("edo"), area("kyoto")], coasts: [], borders: [], routes: [], shrines: [{ id: "shrine.1", at: [0, 0], worshippers: [] }], waves: [] };
const board = (...ids: string[]): Node => node({ node: "section", id: "board", nodes: ids.map((id) => ({ node: "zone", id, text: id })) });
const prompt = (choices: object[], more: object = {}): Prompt => view({ prompts: [{ seat: "koi", choices, ...more }] })!.prompts[0]!;
const move = (from: string, to: string) => ({ command: {}, text: `${from} ${to}`, gestures: [{ kind: "koi/bushi", from, to }] });

test("a drawing fits when it has every zone of the board", () => {
  assert.equal(fitting([drawing], board("edo", "shrine.1")), drawing);
  assert.equal(fitting([drawing], board("edo", "atlantis")), null);
  assert.equal(fitting([drawing], board()), null);
  assert.equal(fitting([drawing], null), null);
});

test("a choice leads where its first piece goes, or leaves from where it goes off the board", () => {
  const asked = prompt([move("reserve.koi", "edo"), move("edo", "kyoto"), move("kyoto", "reserve.koi"), move("box", "reserve.koi"), { command: {}, text: "Done" }, { ...move("edo", "edo"), amounts: { each: {}, total: [0, 1] } }]);
  assert.deepEqual(asked.choices.map((choice) => leads(choice, drawing)), ["edo", "kyoto", "kyoto", "", "", "edo"]);
  assert.deepEqual([...byPlace(asked, drawing)], [["edo", [0]], ["kyoto", [1, 2]]]);
});

test("figures of one clan are one counter, its buildings another, what is nobody's by its own drawing", () => {
  const stacks = [
    { kind: "koi/bushi", count: 2, text: "", mark: "figure/bushi", seat: "koi" },
    { kind: "koi/daimyo", count: 1, text: "", mark: "figure/daimyo", seat: "koi" },
    { kind: "koi/stronghold", count: 1, text: "", mark: "place/stronghold", seat: "koi" },
    { kind: "oni", count: 1, text: "", mark: "figure/monster", seat: "" },
  ];
  assert.deepEqual(counted(stacks).map(({ mark, count, building }) => [mark, count, building]), [
    ["clan/koi", 3, false],
    ["place/stronghold", 1, true],
    ["figure/monster", 1, false],
  ]);
});

const card = (name: string): Node => node({ node: "card", text: name, mark: `mandate/${name}` });
const pair = (mandate: string, declared: string) => ({ command: { do: "choose", seat: "koi", mandate, declared }, text: `${declared} (${mandate})`, mark: `mandate/${declared}` });

test("pairs go in two steps by the hand's own tiles; few choices, or what is no pair, in one", () => {
  const pairs = ["train", "recruit"].flatMap((tile) => ["train", "recruit", "harvest", "betray"].map((name) => pair(tile, name)));
  const tiles = lay(prompt(pairs, { private: true }), new Names(view({})!)).tiles;
  const steps = inSteps(tiles, [card("train"), card("recruit")]);
  assert.deepEqual(steps.map(({ key, options }) => [key, options.map(({ index }) => index)]), [["train", [0, 1, 2, 3]], ["recruit", [4, 5, 6, 7]]]);
  assert.deepEqual(inSteps(tiles, [card("train")]), [], "not every value is a card of the hand");
  assert.deepEqual(inSteps(tiles.slice(0, 4), [card("train")]), []);
  assert.deepEqual(inSteps(tiles.map((tile, index) => ({ ...tile, choice: { ...tile.choice, command: { n: index } } })), [card("train")]), []);
});

test("several choices to one place stand under its name with their whole sentence", () => {
  const seen = view({ sections: [{ node: "section", nodes: [{ node: "zone", id: "edo", text: "Edo" }, { node: "pieces", id: "koi.reserve", stacks: [{ kind: "koi/bushi", count: 1, text: "Bushi" }, { kind: "koi/shinto", count: 1, text: "Shinto" }] }] }] })!;
  const swap = (kind: string, text: string) => ({ command: {}, text, gestures: [{ kind, from: "reserve.koi", to: "edo" }, { kind: "x", from: "edo", to: "y" }] });
  const { whos } = lay(prompt([swap("koi/bushi", "one"), swap("koi/bushi", "two"), swap("koi/shinto", "three")]), new Names(seen));
  assert.deepEqual(whos.map(({ wheres }) => wheres.map(({ title, heading }) => [title, heading])), [[["one", "Edo"], ["two", "Edo"]], [["three", ""]]]);
});

test("what has not changed stays the same object, what has is as new", () => {
  const old = { a: [{ x: 1 }, { x: 2 }], b: { c: null }, d: "text" };
  assert.equal(share(old, structuredClone(old)), old);
  const next = { a: [{ x: 1 }, { x: 3 }, { x: 4 }], b: { c: null }, d: "other" };
  const shared = share(old, next);
  assert.deepEqual(shared, next);
  assert.equal(shared.a[0], old.a[0]);
  assert.equal(shared.b, old.b);
  for (const [before, after] of [[null, { a: 1 }], [{ a: 1 }, null], [[1], { 0: 1 }], [{ a: 1 }, {}], [[1, 2], [1]], [undefined, 1]] as const) {
    assert.deepEqual(share(before, after), after);
  }
});

test("what has an id stays the same object wherever its list has moved it", () => {
  const line = (n: number) => ({ id: `log.${n}`, text: `${n}` });
  const old = [line(1), line(2), line(3)];
  const shared = share(old, [line(2), line(3), { ...line(4), text: "new" }]);
  assert.deepEqual(shared.map(({ text }) => text), ["2", "3", "new"]);
  assert.equal(shared[0], old[1]);
  assert.equal(shared[1], old[2]);
  const hostile = JSON.parse('{"__proto__":{"text":"x"}}') as object;
  assert.equal(Object.getPrototypeOf(share(JSON.parse('{"__proto__":{"text":"x"}}'), hostile)), Object.prototype);
});

test("the same part of a message is read once", () => {
  const [first, second] = [0, 1].map(() => ({ sections: [{ node: "zone", id: "edo" }], prompts: [{ text: "?", choices: [{ text: "!" }] }], title: "" }));
  const before = view(first)!;
  const after = view(share(first, { ...second!, title: "other" }))!;
  assert.equal(after.sections[0], before.sections[0]);
  assert.equal(after.prompts[0], before.prompts[0]);
  assert.equal(after.title, "other");
});

test("every outline stands for itself: the lit ones are drawn as one", () => {
  for (const { zones } of BOARDS) for (const { outline } of zones) assert.match(outline, /^M\d+ ?-?\d+ l[^Mm]*z$/);
});
