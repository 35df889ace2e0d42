/** What every part of the drawing needs at hand. Here: the context. Not here: anything that draws. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";

import type { Names } from "../choices.ts";
import type { Curtain } from "../curtain.ts";
import { type Drawing, byPlace } from "../drawing.ts";
import type { Model, State } from "../model.ts";
import type { Prompt } from "../wire.ts";
import type { Say } from "../words.ts";

export interface Desk {
  model: Model;
  state: State;
  say: Say;
  names: Names;
  /** The drawing of this board, where there is one. */
  drawing: Drawing | null;
  curtain: Curtain;
  /** Clock time of the last snapshot, as people write it; "" while the line is up. */
  asOf: string;
}

/** The question is answered, as far as this phone can do that alone: the choice waits for the line. */
export function answered(state: State): boolean {
  return state.status !== "online" && state.waiting.some((order) => order.stamp === state.stamp);
}

/** A question of places: it is asked on the map too. */
export function mapped(prompt: Prompt, drawing: Drawing | null): boolean {
  return drawing !== null && !prompt.private && byPlace(prompt, drawing).size > 1;
}

/** What the parts of a picture need that stays the same from one picture to the next. */
export interface Voice {
  say: Say;
  clauses: ReadonlyMap<string, string>;
  /** Whose phone this is. */
  seat: string;
  /** The board stands above as a picture. */
  drawn: boolean;
}

export const VoiceContext = createContext<Voice | null>(null);

export function useVoice(): Voice {
  const voice = useContext(VoiceContext);
  if (voice === null) throw new Error("drawn outside the desk");
  return voice;
}

export const DeskContext = createContext<Desk | null>(null);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error("drawn outside the desk");
  return desk;
}
