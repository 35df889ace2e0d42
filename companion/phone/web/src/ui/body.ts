/**
 * What the page says about itself outside the drawing: title, language, theme, and data- attributes of body.
 *
 * End-to-end tests read data-status, data-revision, data-stamp, data-door, data-seat, data-turn, data-locked (and data-curtain, which App
 * sets itself, at once). Not here: anything drawn.
 */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

import { seatName } from "./Frame.tsx";
import type { Desk } from "./desk.ts";

/** Written only where it is another: an attribute of the root written anew, even with the same value, has the browser style the whole page again. */
function put(element: HTMLElement, name: string, value: string): void {
  if (element.dataset[name] !== value) element.dataset[name] = value;
}

export function useBody({ model, state, say, names }: Desk): void {
  const mine = state.view?.prompts.some((prompt) => !prompt.optional) ?? false;
  const name = seatName(names, model.seat.seat);
  const title = mine && state.door === "open" ? `● ${say("yourTurn")} · ${name}` : `${name} · Jinmaku`;
  useEffect(() => {
    document.title = title; // after the drawing: the browser's own frame is told of it, which takes its time
  }, [title]);
  const before = useRef<Record<string, string>>({}); // to ask the browser would take longer
  useLayoutEffect(() => {
    const { documentElement: root, body } = document;
    if (root.lang !== state.lang) root.lang = state.lang;
    if (state.theme === "auto") delete root.dataset["theme"];
    else put(root, "theme", state.theme);
    put(root, "scale", String(state.scale));
    const told = {
      status: state.status,
      door: state.door,
      revision: String(state.revision),
      stamp: String(state.stamp),
      seat: model.seat.seat,
      game: model.seat.game,
      turn: mine ? "mine" : "others",
      locked: String(state.locked),
      pending: String(state.waiting.length),
    };
    const { current } = before;
    for (const [name, value] of Object.entries(told)) if (current[name] !== value) body.dataset[name] = current[name] = value;
  });
}
