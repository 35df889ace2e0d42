/**
 * A question with every lawful choice as a button.
 *
 * Here: the question, buttons that play, the closing row. Who and where: Places.tsx; tiles: Tiles.tsx; steppers: Amounts.tsx. Every button that plays carries data-choice (its
 * index in the prompt), data-prompt and data-command. Not here: what is lawful; what happens after a press (model.ts).
 */
import type { ComponentChildren } from "preact";

import { type Option, type Sheet, lay } from "../choices.ts";
import type { Choice, Prompt } from "../wire.ts";
import type { Say } from "../words.ts";
import { AmountSheets } from "./Amounts.tsx";
import { Clause } from "./Clause.tsx";
import { Fold } from "./Fold.tsx";
import { Mark, hasMark } from "./Mark.tsx";
import { Places } from "./Places.tsx";
import { Tiles } from "./Tiles.tsx";
import { useDesk } from "./desk.ts";
import { pure } from "./pure.ts";

interface Asking {
  prompt: Prompt;
  at: number;
  first: boolean;
}

export function PromptView({ prompt, at, first }: Asking) {
  const { say } = useDesk();
  if (!prompt.optional) return <Asked prompt={prompt} at={at} first={first} />;
  return (
    <Fold
      class="prompt"
      data-question={at}
      data-optional
      summary={<Offer text={prompt.text} say={say} />}
      inside={() => (
        <div class="unfolded">
          <Help prompt={prompt} />
          <Choices prompt={prompt} at={at} />
        </div>
      )}
    />
  );
}

const Offer = pure(({ text, say }: { text: string; say: Say }) => (
  <>
    <span class="note">{say("optional")}</span>
    <h2 class="heading">{text}</h2>
  </>
));

interface AskedProps {
  /** None: nothing is asked; what is shown instead is `idle`. */
  prompt: Prompt | undefined;
  at: number;
  first: boolean;
  idle?: ComponentChildren;
  foot?: ComponentChildren;
  board?: boolean;
}

/** One element whether something is asked or not, so that the board in it and the foot under it stay where they are. */
export function Asked({ prompt, at, first, idle, foot, board = false }: AskedProps) {
  const Title = (first ? "h1" : "h2") as "h1";
  return (
    <section class="prompt" data-question={prompt === undefined ? undefined : at}>
      {prompt === undefined ? (
        idle
      ) : (
        <header>
          <Title class={first ? "title" : "heading"}>{prompt.text}</Title>
          <Help prompt={prompt} />
        </header>
      )}
      <Choices prompt={prompt} at={at} foot={foot} board={board} />
    </section>
  );
}

function Help({ prompt }: { prompt: Prompt }) {
  return (
    <>
      {prompt.detail !== "" && <p class="soft">{prompt.detail}</p>}
      <p class="small">
        <Clause id={prompt.clause} named />
      </p>
    </>
  );
}

const NOTHING: Sheet = { tiles: [], amounts: [], whos: [], plain: [], rest: [] };

function Choices({ prompt, at, foot, board = false }: { prompt: Prompt | undefined; at: number; foot?: ComponentChildren; board?: boolean }) {
  const { names, state } = useDesk();
  const sheet = prompt === undefined ? NOTHING : lay(prompt, names);
  const main = prompt !== undefined && !prompt.optional && lone(sheet);
  // What was begun in an offer goes on wherever it then stands; what was picked for one question is nothing for the next.
  const kept = prompt?.optional === true ? "" : `${state.stamp} ${at}`;
  return (
    <>
      {prompt !== undefined && sheet.tiles.length > 0 && <Tiles key={`${state.stamp} ${at}`} tiles={sheet.tiles} prompt={prompt} at={at} />}
      {prompt !== undefined && sheet.amounts.length > 0 && <AmountSheets key={kept} options={sheet.amounts} prompt={prompt} at={at} />}
      {(board || sheet.whos.length + sheet.plain.length > 0) && <Places whos={sheet.whos} plain={sheet.plain} prompt={prompt} at={at} main={main} board={board} />}
      {(foot !== undefined || sheet.rest.length > 0) && (
        <div class="bar">
          {foot}
          {prompt !== undefined && sheet.rest.length > 0 && (
            <div class="two">
              {sheet.rest.map((option) => (
                <ChoiceButton key={option.index} option={option} prompt={prompt} at={at} main={false} />
              ))}
            </div>
          )}
        </div>
      )}
    </>
  );
}

/** The only thing there is to press stands out. */
function lone({ plain, rest, amounts, tiles }: Sheet): boolean {
  return plain.length === 1 && rest.length + amounts.length + tiles.length === 0;
}

/** Whether a press on a playing button would be taken now, and what to do with it; `play` says whether it was. */
export function usePlay(prompt: Prompt): { barred: boolean; busy: boolean; play: (choice: Choice, amounts?: Record<string, number>) => boolean } {
  const { model, state, curtain } = useDesk();
  const busy = state.waiting.some((order) => order.stamp === state.stamp);
  return {
    busy,
    barred: busy || state.locked,
    play(choice, amounts) {
      if (busy || !model.press()) return false;
      model.play(prompt, choice, amounts ?? null);
      if (prompt.private) curtain.close();
      return true;
    },
  };
}

interface ChoiceProps {
  option: Option;
  prompt: Prompt;
  at: number;
  main: boolean;
  /** One of the ways to go on, not the way out. */
  next?: boolean;
  /** Instead of the choice's own sentence, where the piece chosen above has said the half of it. */
  title?: string;
  /** That piece, for those who do not see what is chosen. */
  who?: string;
  mark?: string;
}

export function ChoiceButton({ option, prompt, at, main, next = false, title, who, mark }: ChoiceProps) {
  const { barred, busy, play } = usePlay(prompt);
  const { say } = useDesk();
  const { choice, index } = option;
  const drawn = mark ?? choice.mark;
  const [gesture] = choice.gestures;
  return (
    <button
      type="button"
      class={`opt${main ? " main" : gesture !== undefined ? " goes" : next ? " next" : ""}${busy ? " busy" : ""}`}
      data-choice={index}
      data-prompt={at}
      data-command={JSON.stringify(choice.command)}
      data-kind={gesture?.kind}
      data-to={gesture?.to}
      aria-disabled={barred}
      onClick={() => play(choice)}
    >
      {hasMark(drawn) && <Mark name={drawn} size={1.875} />}
      <span class="words">
        {who !== undefined && <span class="sr">{who}: </span>}
        {title ?? choice.text}
        {choice.detail !== "" && <small>{choice.detail}</small>}
        {choice.caution !== null && (
          <small class="careful">
            <Mark name="ui/careful" size={1} />
            {say("careful")}: {choice.caution.text} {choice.caution.clause}
          </small>
        )}
      </span>
    </button>
  );
}
