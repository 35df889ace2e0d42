/** What every part of the drawing needs at hand. Here: the context. Not here: anything that draws. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";

import type { Names } from "../choices.ts";
import type { Curtain } from "../curtain.ts";
import type { Model, State } from "../model.ts";
import type { Say } from "../words.ts";

export interface Desk {
  model: Model;
  state: State;
  say: Say;
  names: Names;
  curtain: Curtain;
  /** Clock time of the last snapshot, as people write it. */
  asOf: string;
}

/** The question is answered, as far as this phone can do that alone: the choice waits for the line. */
export function answered(state: State): boolean {
  return state.status !== "online" && state.waiting.some((order) => order.stamp === state.stamp);
}

export const DeskContext = createContext<Desk | null>(null);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error("drawn outside the desk");
  return desk;
}
