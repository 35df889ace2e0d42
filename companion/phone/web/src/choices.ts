/**
 * How a prompt's choices are laid out for one thumb: who, then where; or tiles; or steppers; or plain buttons.
 *
 * Here: sorting of choices by their gestures and finding names for pieces and places in the view itself, since screens know no game.
 * Not here: drawing. Indices are those of the prompt's own list, whatever the layout.
 */
import type { Amounts, Choice, Node, Prompt, Stack, View } from "./wire.ts";

export interface Option {
  index: number;
  choice: Choice;
}

export interface Where extends Option {
  title: string;
  /** Name of the place, where the title says more than that; "": the title is the place. */
  heading: string;
  mark: string;
}

export interface Who {
  key: string;
  title: string;
  note: string;
  mark: string;
  wheres: Where[];
}

export interface Sheet {
  /** Two or more pieces to choose from; empty: no such step. */
  whos: Who[];
  /** Secret choices with a drawing: pick one, then confirm. */
  tiles: Option[];
  /** Numbers to fill in. */
  amounts: Option[];
  plain: Option[];
  /** What needs no piece where others do: Done, pass. */
  rest: Option[];
}

/** Names the view gives to places and pieces. */
export class Names {
  readonly #sections: readonly Node[];
  readonly #places = new Map<string, Node>();
  #pieces: { stacks: Map<string, Stack>; kinds: Map<string, Stack> } | null = null;

  constructor(view: View) {
    this.#sections = view.sections;
    const learn = (node: Node): void => {
      if (node.id !== "" && !this.#places.has(node.id)) this.#places.set(node.id, node);
      node.nodes.forEach(learn);
    };
    view.sections.forEach(learn);
  }

  /** Learnt when first asked for: only questions ask for pieces. */
  #known(): { stacks: Map<string, Stack>; kinds: Map<string, Stack> } {
    if (this.#pieces !== null) return this.#pieces;
    const stacks = new Map<string, Stack>();
    const kinds = new Map<string, Stack>();
    const learn = (node: Node): void => {
      for (const stack of node.stacks) {
        stacks.set(`${node.id} ${stack.kind}`, stack);
        if (!kinds.has(stack.kind)) kinds.set(stack.kind, stack);
      }
      node.nodes.forEach(learn);
    };
    this.#sections.forEach(learn);
    return (this.#pieces = { stacks, kinds });
  }

  node(id: string): Node | undefined {
    return this.#places.get(id) ?? this.#places.get(turned(id));
  }

  place(id: string): string {
    return this.node(id)?.text ?? "";
  }

  kind(kind: string): string {
    return this.#known().kinds.get(kind)?.text ?? "";
  }

  /** The player's name, where one was given. */
  player(seat: string): string {
    return this.#places.get(seat)?.who ?? "";
  }

  /** The drawing of a piece of this kind, where the view shows one. */
  figure(kind: string): string {
    return this.#known().kinds.get(kind)?.mark ?? "";
  }

  count(kind: string, place: string): number {
    const { stacks } = this.#known();
    return (stacks.get(`${place} ${kind}`) ?? stacks.get(`${turned(place)} ${kind}`))?.count ?? 0;
  }

  /** The drawing that stands for a place: its own, or that of what this seat has built there. */
  mark(place: string, seat: string): string {
    const node = this.node(place);
    return node?.mark || (node?.stacks.find((stack) => stack.seat === seat && stack.mark.startsWith("place/"))?.mark ?? "");
  }
}

/** A reserve is the place `reserve.koi` and, among the things of Koi, the node `koi.reserve`. */
function turned(id: string): string {
  const [first, second, ...more] = id.split(".");
  return second === undefined || more.length > 0 ? id : `${second}.${first ?? ""}`;
}

export function lay(prompt: Prompt, names: Names): Sheet {
  const all = prompt.choices.map((choice, index) => ({ index, choice }));
  const amounts = all.filter(({ choice }) => choice.amounts !== null);
  const simple = all.filter(({ choice }) => choice.amounts === null);
  const moved = simple.filter(({ choice }) => choice.gestures.length > 0);
  const still = simple.filter(({ choice }) => choice.gestures.length === 0);
  if (prompt.private && still.length > 1 && moved.length === 0 && still.every(({ choice }) => choice.mark !== "")) {
    return { whos: [], tiles: still, amounts, plain: [], rest: [] };
  }
  const whos = group(moved, prompt.seat, names);
  const plain = whos.length > 0 ? [] : moved;
  return moved.length > 0 ? { whos, tiles: [], amounts, plain, rest: still } : { whos: [], tiles: [], amounts, plain: still, rest: [] };
}

/** Empty when grouping would say less than the choices' own sentences: one piece only, or pieces without a name. */
function group(moved: Option[], seat: string, names: Names): Who[] {
  const whos = new Map<string, Who>();
  const froms = new Map<string, Set<string>>();
  for (const { choice } of moved) {
    const [first] = choice.gestures;
    if (first === undefined || names.kind(first.kind) === "") return [];
    froms.set(first.kind, (froms.get(first.kind) ?? new Set()).add(first.from));
  }
  for (const { index, choice } of moved) {
    const [first] = choice.gestures;
    if (first === undefined) continue;
    const key = `${first.kind} ${first.from}`;
    let who = whos.get(key);
    if (who === undefined) {
      const count = names.count(first.kind, first.from);
      const note = [names.place(first.from), count > 0 ? String(count) : ""].filter((part) => part !== "").join(" · ");
      who = { key, title: names.kind(first.kind), note, mark: names.figure(first.kind) || choice.mark, wheres: [] };
      whos.set(key, who);
    }
    who.wheres.push({ index, choice, title: names.place(first.to) || choice.text, heading: "", mark: names.mark(first.to, seat) });
  }
  if (whos.size < 2) return [];
  for (const who of whos.values()) {
    const titles = who.wheres.map((where) => where.title);
    const twice = new Set(titles).size < titles.length;
    // More than one piece moves, or several choices lead to one place: the place alone does not say which.
    if (!twice && who.wheres.every(({ choice }) => choice.gestures.length === 1)) continue;
    for (const where of who.wheres) {
      where.heading = twice ? where.title : "";
      where.title = where.choice.text;
    }
  }
  return [...whos.values()];
}

/** So many choices of one kind are still taken in at a glance. */
const GLANCE = 7;

export interface Step {
  key: string;
  card: Node;
  options: Option[];
}

/**
 * Many secret choices that are pairs (which tile of the hand, and as what it is played): the tiles of the hand first. Empty: one step.
 *
 * Known by the commands: exactly two of their fields differ, and every value of one of them is the drawing of a card behind the curtain.
 */
export function inSteps(tiles: Option[], cards: Node[]): Step[] {
  if (tiles.length <= GLANCE) return [];
  const value = ({ choice }: Option, field: string): string => String(choice.command[field] ?? "");
  const fields = [...new Set(tiles.flatMap(({ choice }) => Object.keys(choice.command)))].filter((field) => new Set(tiles.map((tile) => value(tile, field))).size > 1);
  if (fields.length !== 2) return [];
  const card = (name: string): Node | undefined => cards.find(({ mark }) => name !== "" && mark.endsWith(`/${name}`));
  const field = fields.find((each) => tiles.every((tile) => card(value(tile, each)) !== undefined));
  if (field === undefined) return [];
  const steps = new Map<string, Step>();
  for (const tile of tiles) {
    const key = value(tile, field);
    const step = steps.get(key) ?? { key, card: card(key) as Node, options: [] };
    step.options.push(tile);
    steps.set(key, step);
  }
  return [...steps.values()];
}

/** Names of questions that stay the same whatever is asked before them: what is open stays open, and nothing else opens in its place. */
export function named(prompts: readonly Prompt[]): string[] {
  const seen = new Map<string, number>();
  return prompts.map(({ clause, choices }) => {
    const name = `${clause} ${String(choices[0]?.command["do"])}`;
    const nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    return `${name} ${nth}`;
  });
}

/** The smallest amounts that are allowed: where the steppers start. */
export function least(amounts: Amounts): Record<string, number> {
  return Object.fromEntries(amounts.each.map(({ name, min }) => [name, min]));
}

export function total(values: Record<string, number>): number {
  return Object.values(values).reduce((sum, value) => sum + value, 0);
}

/** What is set up already, as far as it is still allowed: a purse may shrink while its owner counts. */
export function within(amounts: Amounts, values: Record<string, number>): Record<string, number> {
  const fits = amounts.each.every(({ name, min, max }) => (values[name] ?? 0) >= min && (values[name] ?? 0) <= max) && total(values) <= amounts.max;
  return fits ? values : least(amounts);
}

/** May this counter go by `by`? The total may never pass its maximum; below its minimum only confirming is barred. */
export function mayStep(amounts: Amounts, values: Record<string, number>, name: string, by: number): boolean {
  const range = amounts.each.find((each) => each.name === name);
  const value = (values[name] ?? 0) + by;
  return range !== undefined && value >= range.min && value <= range.max && total(values) + by <= amounts.max;
}

/**
 * A name for a counter of an Amounts: that of a node of the view with this id, or ending in it outside the seats (`war.ronin`), or of
 * this seat's own (`koi.coins`); else the id made readable.
 */
export function amountName(name: string, view: View, seat: string): { text: string; mark: string } {
  const shared = view.sections.filter((section) => section.id !== "seats");
  const found =
    find(view.sections, (node) => node.id === name) ??
    find(shared, (node) => node.id.endsWith(`.${name}`)) ??
    find(view.sections, (node) => node.id === `${seat}.${name}`);
  if (found !== null && found.text !== "") return { text: found.text, mark: found.mark };
  const words = name.replace(/[_.-]+/g, " ");
  return { text: words.charAt(0).toUpperCase() + words.slice(1), mark: found?.mark ?? "" };
}

export function find(nodes: readonly Node[], wanted: (node: Node) => boolean): Node | null {
  for (const node of nodes) {
    if (wanted(node)) return node;
    const below = find(node.nodes, wanted);
    if (below !== null) return below;
  }
  return null;
}

/** Every node for which `wanted`, not looking inside those found. */
export function all(nodes: readonly Node[], wanted: (node: Node) => boolean): Node[] {
  return nodes.flatMap((node) => (wanted(node) ? [node] : all(node.nodes, wanted)));
}
