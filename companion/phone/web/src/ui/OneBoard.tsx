/**
 * The board wherever it is asked for: one drawing, kept while the curtain is open and taken along when it is wanted elsewhere. To make its
 * hundred shapes anew takes longer than all the rest of the page.
 *
 * Here: lending the drawing out. Not here: what it shows (Board.tsx).
 */
import { render } from "preact";
import { useLayoutEffect, useReducer, useRef } from "preact/hooks";

import { Board, type Shown } from "./Board.tsx";
import { VoiceContext, useDesk, useVoice } from "./desk.ts";

interface Loan {
  board: HTMLElement;
  /** It is wanted elsewhere: whoever has it and is still there has to draw another. */
  lose: () => void;
}

let loan: Loan | null = null;

export function OneBoard(shown: Omit<Shown, "names">) {
  const { names } = useDesk();
  const voice = useVoice();
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const board = loan?.board ?? document.createElement("div");
    loan?.lose();
    const mine: Loan = {
      board,
      lose() {
        drawn.current = null;
        redraw(0);
      },
    };
    loan = mine;
    drawn.current = board;
    place.current?.append(board);
    return () => {
      mine.lose = () => undefined;
    };
  }, []);
  useLayoutEffect(() => {
    const board = drawn.current ?? document.createElement("div");
    if (drawn.current === null) place.current?.append((drawn.current = board));
    render(
      <VoiceContext.Provider value={voice}>
        <Board {...shown} names={names} />
      </VoiceContext.Provider>,
      board,
    );
  });
  return <div ref={place} />;
}
