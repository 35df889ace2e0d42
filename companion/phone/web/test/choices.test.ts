/** How choices are laid out, and how numbers are filled in. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Names, amountName, lay, least, mayStep, named, total, within } from "../src/choices.ts";
import { type Prompt, type View, view } from "../src/wire.ts";

const stack = (kind: string, text: string, count = 1, mark = "", seat = "") => ({ kind, text, count, mark, seat });
const sections = [
  {
    node: "section",
    id: "board",
    text: "Board",
    nodes: [
      { node: "zone", id: "edo", text: "Edo", stacks: [stack("koi/bushi", "Bushi", 2), stack("koi/stronghold", "Stronghold", 1, "place/stronghold", "koi")] },
      { node: "zone", id: "kyoto", text: "Kyoto", stacks: [stack("koi/bushi", "Bushi", 1)] },
      { node: "zone", id: "shrine.1", text: "Amaterasu", mark: "kami/amaterasu" },
    ],
  },
  { node: "section", id: "war", text: "War", nodes: [{ node: "counter", id: "war.ronin", text: "Hire Ronin", value: null, mark: "war/hire_ronin" }] },
  {
    node: "section",
    id: "seats",
    text: "Seats",
    nodes: [
      { node: "section", id: "lotus", text: "Lotus", nodes: [{ node: "counter", id: "lotus.coins", text: "Lotus coins", value: 9 }] },
      {
        node: "section",
        id: "koi",
        text: "Koi",
        nodes: [
          { node: "counter", id: "koi.coins", text: "Coins", value: 6, mark: "token/coin" },
          { node: "counter", id: "koi.ronin", text: "Ronin", value: 1 },
          { node: "pieces", id: "koi.reserve", text: "Reserve", stacks: [stack("koi/shinto", "Shinto", 3), stack("koi/bushi", "Bushi", 4)] },
        ],
      },
    ],
  },
];

const move = (kind: string, from: string, to: string) => ({ command: { kind, from, to }, text: `${kind} ${from} ${to}`, mark: "figure/bushi", gestures: [{ kind, from, to }] });
const done = { command: { do: "done" }, text: "Done" };

function table(choices: object[], more: object = {}): { view: View; prompt: Prompt } {
  const made = view({ sections, prompts: [{ seat: "koi", text: "?", choices, ...more }] }) as View;
  return { view: made, prompt: made.prompts[0] as Prompt };
}

function laid(choices: object[], more: object = {}) {
  const { view: made, prompt } = table(choices, more);
  return lay(prompt, new Names(made));
}

test("several pieces: who, then where, then the rest", () => {
  const sheet = laid([move("koi/bushi", "reserve.koi", "edo"), move("koi/shinto", "reserve.koi", "edo"), move("koi/shinto", "reserve.koi", "shrine.1"), done]);
  assert.deepEqual(sheet.whos.map(({ title, note }) => [title, note]), [["Bushi", "Reserve · 4"], ["Shinto", "Reserve · 3"]]);
  assert.deepEqual(sheet.whos[1]?.wheres.map(({ index, title, mark }) => [index, title, mark]), [[1, "Edo", "place/stronghold"], [2, "Amaterasu", "kami/amaterasu"]]);
  assert.deepEqual(sheet.rest.map(({ index }) => index), [3]);
});

test("a piece is drawn as the view draws it, whatever its first choice shows", () => {
  const kami = (kind: string, to: string) => ({ ...move(kind, "edo", to), mark: "kami/amaterasu" });
  const sheet = laid([kami("koi/stronghold", "shrine.1"), kami("koi/shinto", "shrine.1")]);
  assert.deepEqual(sheet.whos.map(({ mark }) => mark), ["place/stronghold", "kami/amaterasu"]);
});

test("one kind from two places is two pieces to choose from", () => {
  const sheet = laid([move("koi/bushi", "edo", "kyoto"), move("koi/bushi", "kyoto", "edo")]);
  assert.deepEqual(sheet.whos.map(({ note }) => note), ["Edo · 2", "Kyoto · 1"]);
});

test("one piece only, or one without a name: the choices' own sentences", () => {
  assert.equal(laid([move("koi/bushi", "edo", "kyoto"), done]).plain.length, 1);
  const unnamed = laid([move("koi/bushi", "edo", "kyoto"), move("ghost", "edo", "kyoto")]);
  assert.deepEqual([unnamed.whos.length, unnamed.plain.length], [0, 2]);
});

test("two choices for the same piece and place keep their own sentences", () => {
  const twice = { ...move("koi/bushi", "edo", "kyoto"), text: "by sea" };
  const sheet = laid([move("koi/bushi", "edo", "kyoto"), twice, move("koi/shinto", "reserve.koi", "edo")]);
  assert.deepEqual(sheet.whos[0]?.wheres.map(({ title }) => title), ["koi/bushi edo kyoto", "by sea"]);
});

test("secret choices with drawings are tiles; without, buttons", () => {
  const drawn = [{ command: {}, text: "A", mark: "mandate/train" }, { command: {}, text: "B", mark: "mandate/harvest" }];
  assert.equal(laid(drawn, { private: true }).tiles.length, 2);
  assert.equal(laid(drawn).plain.length, 2);
  assert.equal(laid([...drawn, done], { private: true }).plain.length, 3);
});

test("amounts stay within each range and the total", () => {
  const { prompt } = table([{ command: {}, text: "Bid", amounts: { each: { a: [1, 3], b: [0, 9] }, total: [2, 4] } }]);
  const amounts = prompt.choices[0]!.amounts!;
  let values = least(amounts);
  assert.deepEqual(values, { a: 1, b: 0 });
  assert.equal(mayStep(amounts, values, "a", -1), false);
  assert.equal(mayStep(amounts, values, "nothing", 1), false);
  values = { a: 3, b: 1 };
  assert.equal(mayStep(amounts, values, "a", 1), false);
  assert.equal(mayStep(amounts, values, "b", 1), false, "the total is full");
  assert.equal(total(values), 4);
  assert.equal(within(amounts, values), values);
  assert.deepEqual(within(amounts, { a: 3, b: 2 }), { a: 1, b: 0 }, "more than there is now");
  assert.deepEqual(within(amounts, { a: 0, b: 1 }), { a: 1, b: 0 });
});

test("a question has its name whatever is asked before it, and no two have the same", () => {
  const gift = table([{ command: { do: "give" }, text: "To Lotus" }], { clause: "RS-2N.3" }).prompt;
  const back = table([{ command: { do: "undo" }, text: "Undo" }]).prompt;
  assert.deepEqual(named([gift, back]), [...named([gift]), ...named([back])]);
  assert.equal(new Set(named([gift, back, back])).size, 3);
  assert.deepEqual(named([{ ...gift, choices: [] }]).length, 1);
});

test("a number is called as the view calls it: what is shared first, then this seat's own", () => {
  const { view: made } = table([]);
  assert.deepEqual(amountName("ronin", made, "koi"), { text: "Hire Ronin", mark: "war/hire_ronin" });
  assert.deepEqual(amountName("coins", made, "koi"), { text: "Coins", mark: "token/coin" });
  assert.deepEqual(amountName("odd_coins", made, "koi"), { text: "Odd coins", mark: "" });
});
