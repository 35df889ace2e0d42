/**
 * What the referee tells this phone, taken apart without trust: whatever comes in, what comes out can be drawn.
 *
 * Here: types of messages and of the view tree, and `read`. The names follow companion/rules/view.py and game.py; a field left out
 * there has its default here; a node nobody knows keeps its text. Not here: sealing, drawing.
 */

export interface Stack {
  kind: string;
  count: number;
  text: string;
  mark: string;
  seat: string;
}

export interface Step {
  light: string;
  text: string;
  mark: string;
  seat: string;
  state: string;
}

/** One flat shape for every node: a screen reads what its kind has. */
export interface Node {
  node: string;
  id: string;
  text: string;
  value: number | null;
  mark: string;
  detail: string;
  face: boolean;
  seat: string;
  /** The player's name, of a seat's own section. */
  who: string;
  clause: string;
  badge: string;
  lit: boolean;
  /** Not for other eyes: shown behind the curtain only. */
  private: boolean;
  stacks: Stack[];
  steps: Step[];
  heads: string[];
  rows: (string | number)[][];
  series: [string, number[]][];
  nodes: Node[];
}

export interface Gesture {
  kind: string;
  from: string;
  to: string;
}

export interface Amounts {
  each: { name: string; min: number; max: number }[];
  min: number;
  max: number;
}

export interface Caution {
  clause: string;
  text: string;
}

export interface Choice {
  /** Handed back as it came. */
  command: Record<string, unknown>;
  text: string;
  detail: string;
  mark: string;
  gestures: Gesture[];
  caution: Caution | null;
  amounts: Amounts | null;
}

export interface Prompt {
  seat: string;
  text: string;
  detail: string;
  clause: string;
  optional: boolean;
  private: boolean;
  choices: Choice[];
}

export interface Wait {
  seat: string;
  text: string;
  /** The rule of that step. */
  clause: string;
}

export interface View {
  title: string;
  subtitle: string;
  sections: Node[];
  prompts: Prompt[];
  waits: Wait[];
  log: Node[];
}

export interface Refusal {
  clause: string;
  text: string;
  lawful: string[];
}

export interface Answer {
  id: string;
  ok: boolean;
  revision: number;
  events: string[];
  refusal: Refusal | null;
}

/** welcome, view: the whole picture; moved: the seat is open in another window; revoked: on another phone; reload: this page is old. */
const KINDS = ["welcome", "view", "moved", "revoked", "reload"] as const;

export interface Down {
  t: (typeof KINDS)[number];
  /** Why, in the reader's language, where there is something to say. */
  text: string;
  proto: number;
  revision: number;
  stamp: number;
  seat: string;
  waiting: boolean;
  view: View | null;
  answer: Answer | null;
  /** Rule texts by clause, where the referee sends them. */
  clauses: Map<string, string>;
}

type Bag = Record<string, unknown>;

const bag = (value: unknown): Bag => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Bag) : {});
const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const string = (value: unknown): string => (typeof value === "string" ? value : "");
const whole = (value: unknown, otherwise = 0): number => (typeof value === "number" && Number.isSafeInteger(value) ? value : otherwise);
const strings = (value: unknown): string[] => list(value).filter((each): each is string => typeof each === "string");

function pair(value: unknown): [number, number] {
  const [low, high] = list(value);
  const min = Math.max(0, whole(low));
  return [min, Math.max(min, whole(high))];
}

/** Makes each part of a message once: the same object (share.ts) becomes the same thing again. */
function once<T>(make: (from: Bag, depth: number) => T): (value: unknown, depth?: number) => T {
  const made = new WeakMap<Bag, T>();
  return (value, depth = 0) => {
    const from = bag(value);
    const known = made.get(from);
    if (known !== undefined) return known;
    const thing = make(from, depth);
    made.set(from, thing);
    return thing;
  };
}

const stack = once<Stack>((from) => ({
  kind: string(from["kind"]),
  count: whole(from["count"], 1),
  text: string(from["text"]),
  mark: string(from["mark"]),
  seat: string(from["seat"]),
}));

const step = once<Step>((from) => ({
  light: string(from["light"]),
  text: string(from["text"]),
  mark: string(from["mark"]),
  seat: string(from["seat"]),
  state: string(from["state"]) || "todo",
}));

const DEEPEST = 8;

/** `depth` ends a tree that somebody built to be endless. */
export const node: (value: unknown, depth?: number) => Node = once((from, depth) => ({
  node: string(from["node"]),
  id: string(from["id"]),
  text: string(from["text"]),
  value: typeof from["value"] === "number" ? from["value"] : null,
  mark: string(from["mark"]),
  detail: string(from["detail"]),
  face: from["face"] !== false,
  seat: string(from["seat"]),
  who: string(from["who"]),
  clause: string(from["clause"]),
  badge: string(from["badge"]),
  lit: from["lit"] === true,
  private: from["private"] === true || from["node"] === "curtain",
  stacks: list(from["stacks"]).map((each) => stack(each)),
  steps: list(from["steps"]).map((each) => step(each)),
  heads: list(from["heads"]).map(string),
  rows: list(from["rows"]).map((row) => list(row).map((cell) => (typeof cell === "number" ? cell : string(cell)))),
  series: Object.entries(bag(from["series"])).map(([name, points]) => [name, list(points).map((point) => whole(point))]),
  nodes: depth < DEEPEST ? list(from["nodes"]).map((child) => node(child, depth + 1)) : [],
}));

function gesture(value: unknown): Gesture {
  const from = bag(value);
  return { kind: string(from["kind"]), from: string(from["from"]), to: string(from["to"]) };
}

function amounts(value: unknown): Amounts | null {
  if (typeof value !== "object" || value === null) return null;
  const from = bag(value);
  const each = Object.entries(bag(from["each"])).map(([name, range]) => {
    const [min, max] = pair(range);
    return { name, min, max };
  });
  const [min, max] = pair(from["total"]);
  return { each, min, max };
}

const choice = once<Choice>((from) => {
  const caution = bag(from["caution"]);
  return {
    command: bag(from["command"]),
    text: string(from["text"]),
    detail: string(from["detail"]),
    mark: string(from["mark"]),
    gestures: list(from["gestures"]).map(gesture),
    caution: string(caution["text"]) === "" ? null : { clause: string(caution["clause"]), text: string(caution["text"]) },
    amounts: amounts(from["amounts"]),
  };
});

const prompt = once<Prompt>((from) => ({
  seat: string(from["seat"]),
  text: string(from["text"]),
  detail: string(from["detail"]),
  clause: string(from["clause"]),
  optional: from["optional"] === true,
  private: from["private"] === true,
  choices: list(from["choices"]).map((each) => choice(each)),
}));

export function view(value: unknown): View | null {
  return typeof value !== "object" || value === null || Array.isArray(value) ? null : viewed(value);
}

const viewed = once<View>((from) => ({
  title: string(from["title"]),
  subtitle: string(from["subtitle"]),
  sections: list(from["sections"]).map((each) => node(each)),
  prompts: list(from["prompts"]).map((each) => prompt(each)),
  waits: list(from["waits"]).map((each) => ({ seat: string(bag(each)["seat"]), text: string(bag(each)["text"]), clause: string(bag(each)["clause"]) })),
  log: list(from["log"]).map((each) => node(each)),
}));

function answer(value: unknown): Answer | null {
  const from = bag(value);
  if (string(from["id"]) === "") return null;
  const refusal = from["refusal"] === null || from["refusal"] === undefined ? null : bag(from["refusal"]);
  return {
    id: string(from["id"]),
    ok: from["ok"] === true,
    revision: whole(from["revision"]),
    events: strings(from["events"]),
    refusal: refusal && { clause: string(refusal["clause"]), text: string(refusal["text"]), lawful: strings(refusal["lawful"]) },
  };
}

/** null: not a message we know. */
export function read(value: unknown): Down | null {
  const from = bag(value);
  const t = KINDS.find((kind) => kind === from["t"]);
  if (t === undefined) return null;
  return {
    t,
    text: string(from["text"]),
    proto: whole(from["proto"], 1),
    revision: whole(from["revision"]),
    stamp: whole(from["stamp"]),
    seat: string(from["seat"]),
    waiting: from["waiting"] === true,
    view: view(from["view"]),
    answer: answer(from["answer"]),
    clauses: new Map(Object.entries(bag(from["clauses"])).filter((entry): entry is [string, string] => typeof entry[1] === "string")),
  };
}
