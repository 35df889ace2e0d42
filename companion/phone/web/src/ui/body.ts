/**
 * What the page says about itself outside the drawing: title, language, theme, and data- attributes of body.
 *
 * End-to-end tests read data-status, data-revision, data-stamp, data-door, data-seat, data-turn, data-locked (and data-curtain, which App
 * sets itself, at once). Not here: anything drawn.
 */
import { useLayoutEffect } from "preact/hooks";

import { seatName } from "./Frame.tsx";
import type { Desk } from "./desk.ts";

export function useBody({ model, state, say, names }: Desk): void {
  const mine = state.view?.prompts.some((prompt) => !prompt.optional) ?? false;
  useLayoutEffect(() => {
    const name = seatName(names, model.seat.seat);
    document.title = mine && state.door === "open" ? `● ${say("yourTurn")} · ${name}` : `${name} · Jinmaku`;
    const { documentElement: root, body } = document;
    root.lang = state.lang;
    if (state.theme === "auto") delete root.dataset["theme"];
    else root.dataset["theme"] = state.theme;
    root.dataset["scale"] = String(state.scale);
    Object.assign(body.dataset, {
      status: state.status,
      door: state.door,
      revision: String(state.revision),
      stamp: String(state.stamp),
      seat: model.seat.seat,
      game: model.seat.game,
      turn: mine ? "mine" : "others",
      locked: String(state.locked),
      pending: String(state.waiting.length),
    });
  });
}
