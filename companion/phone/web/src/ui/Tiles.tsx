/**
 * Secret choices with a drawing: tiles, picked first and played by a button of its own, so that no stray touch gives a secret away.
 *
 * Here: the grid, and the two steps where the choices are pairs. Not here: which choices are tiles (choices.ts), playing (Prompt.tsx).
 */
import { useState } from "preact/hooks";

import { type Option, all, inSteps } from "../choices.ts";
import type { Caution, Node, Prompt } from "../wire.ts";
import { Mark } from "./Mark.tsx";
import { usePlay } from "./Prompt.tsx";
import { useDesk } from "./desk.ts";

export function Tiles({ tiles, prompt, at }: { tiles: Option[]; prompt: Prompt; at: number }) {
  const { say, state } = useDesk();
  const { barred, play } = usePlay(prompt);
  const [chosen, choose] = useState(-1);
  const [first, setFirst] = useState("");
  const cards = all(state.view?.sections ?? [], (node) => node.node === "card");
  const steps = inSteps(tiles, cards);
  const step = steps.find(({ key }) => key === first);
  const shown = steps.length === 0 ? tiles : (step?.options ?? []);
  const picked = shown.find(({ index }) => index === chosen);
  const like = (mark: string, text: string): Node[] => cards.filter((node) => node.mark === mark && node.text === text);
  return (
    <>
      {steps.length > 0 && (
        <>
          <h2 class="label">{say("first")}</h2>
          <div class="tiles" role="group" aria-label={say("first")}>
            {steps.map(({ key, card }) => (
              <Tile
                key={key}
                about={{ "data-step-tile": key }}
                mark={card.mark}
                text={card.text}
                detail=""
                copies={like(card.mark, card.text).length}
                caution={null}
                picked={key === first}
                press={() => {
                  setFirst(key);
                  choose(-1);
                }}
              />
            ))}
          </div>
          {step !== undefined && <h2 class="label">{say("then")}</h2>}
        </>
      )}
      <div class="tiles" role="group" aria-label={prompt.text}>
        {shown.map(({ index, choice }) => {
          const same = like(choice.mark, choice.text);
          return (
            <Tile
              key={index}
              about={{ "data-tile": index, "data-mark": choice.mark, "data-id": same[0]?.id }}
              mark={choice.mark}
              text={choice.text}
              detail={choice.detail || (same[0]?.detail ?? "")}
              copies={same.length}
              caution={choice.caution}
              picked={index === chosen}
              press={() => choose(index)}
            />
          );
        })}
      </div>
      <button
        type="button"
        class="opt main"
        data-choice={picked?.index}
        data-prompt={picked === undefined ? undefined : at}
        data-command={picked === undefined ? undefined : JSON.stringify(picked.choice.command)}
        aria-disabled={picked === undefined || barred}
        onClick={() => picked !== undefined && play(picked.choice)}
      >
        {picked === undefined ? say("choose") : say("play", { what: picked.choice.text })}
      </button>
    </>
  );
}

interface TileProps {
  about: Record<string, string | number | undefined>;
  mark: string;
  text: string;
  detail: string;
  copies: number;
  caution: Caution | null;
  picked: boolean;
  press: () => void;
}

function Tile({ about, mark, text, detail, copies, caution, picked, press }: TileProps) {
  return (
    <button type="button" class={`tile${picked ? " pick" : ""}${detail === "" ? " short" : ""}`} {...about} aria-pressed={picked} onClick={press}>
      <Mark name={mark} size={detail === "" ? 2.5 : 3.5} />
      {picked && <Mark name="ui/ok" size={1.5} />}
      <b>
        {text}
        {copies > 1 && ` × ${copies}`}
      </b>
      {detail !== "" && <small>{detail}</small>}
      {caution !== null && (
        <small class="careful">
          <Mark name="ui/careful" size={1} />
          {caution.text}
        </small>
      )}
    </button>
  );
}
