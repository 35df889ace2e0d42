/**
 * A game's own drawing of its board (companion/rules/<game>/data/board.toml, packed by build.mjs): which drawing fits a view, what stands where.
 *
 * Here: finding the drawing by the zones a view names, and counters by clan at its anchors. Not here: SVG (ui/Board.tsx), rules.
 */
import type { Choice, Node, Prompt, Stack } from "./wire.ts";

export type Point = readonly number[];

export interface Area {
  id: string;
  outline: string;
  label: Point;
  /** Where up to six counters stand. */
  few: Point[];
  /** How far those are apart. */
  pitch: number;
  strongholds: Point[];
}

export interface Shrine {
  id: string;
  at: Point;
  worshippers: Point[];
}

export interface Drawing {
  size: Point;
  /** Diameter of a shrine. */
  shrine: number;
  zones: Area[];
  coasts: string[];
  borders: string[];
  routes: string[];
  shrines: Shrine[];
  waves: Point[];
}

/** The drawing that has every zone of the board section; null: this board is listed only. */
export function fitting(drawings: readonly Drawing[], board: Node | null): Drawing | null {
  const zones = board?.nodes.filter((node) => node.node === "zone") ?? [];
  if (zones.length === 0) return null;
  return drawings.find((drawing) => zones.every(({ id }) => places(drawing).has(id))) ?? null;
}

const known = new WeakMap<Drawing, Set<string>>();

export function places(drawing: Drawing): Set<string> {
  let found = known.get(drawing);
  if (found === undefined) {
    found = new Set([...drawing.zones, ...drawing.shrines].map(({ id }) => id));
    known.set(drawing, found);
  }
  return found;
}

/** Where on the drawing a choice leads; where its piece leaves the board, from where; "": nowhere on it. */
export function leads(choice: Choice, drawing: Drawing): string {
  const [first] = choice.gestures;
  if (first === undefined) return "";
  return [first.to, first.from].find((place) => places(drawing).has(place)) ?? "";
}

/** Choices of a prompt by where they lead, in the order of the drawing. */
export function byPlace(prompt: Prompt, drawing: Drawing): Map<string, number[]> {
  const found = new Map<string, number[]>([...places(drawing)].map((place) => [place, []]));
  prompt.choices.forEach((choice, index) => {
    if (choice.amounts === null) found.get(leads(choice, drawing))?.push(index);
  });
  for (const [place, choices] of found) if (choices.length === 0) found.delete(place);
  return found;
}

export interface Counted {
  /** Clan or, for what is nobody's, the drawing of the piece itself. */
  mark: string;
  seat: string;
  count: number;
  building: boolean;
}

/** One counter a clan, its buildings one of their own; what is nobody's by its own drawing. */
export function counted(stacks: readonly Stack[]): Counted[] {
  const found = new Map<string, Counted>();
  for (const { seat, mark, count } of stacks) {
    const building = mark.startsWith("place/");
    const key = `${building} ${seat || mark}`;
    const counter = found.get(key) ?? { mark: building || seat === "" ? mark : `clan/${seat}`, seat, count: 0, building };
    counter.count += count;
    found.set(key, counter);
  }
  return [...found.values()];
}
