/** Choices that carry numbers: which of them, one stepper each, their total, one button that seals them. */
import { useState } from "preact/hooks";

import { type Option, amountName, find, least, mayStep, total, within } from "../choices.ts";
import type { Amounts, Prompt } from "../wire.ts";
import { Mark, hasMark } from "./Mark.tsx";
import { usePlay } from "./Prompt.tsx";
import { useDesk } from "./desk.ts";

/** More than this many are only counted, not drawn. */
const DRAWN = 10;

/** Several such choices (to whom?) share one sheet. */
export function AmountSheets({ options, prompt, at }: { options: Option[]; prompt: Prompt; at: number }) {
  const [chosen, choose] = useState(options[0]?.index ?? -1);
  const option = options.find(({ index }) => index === chosen) ?? options[0];
  if (option === undefined) return null;
  return (
    <>
      {options.length > 1 && (
        <div class="whos" role="group" aria-label={prompt.text}>
          {options.map((each) => (
            <button
              key={each.index}
              type="button"
              class={`opt${each === option ? " pick" : ""}`}
              data-sheet={each.index}
              aria-pressed={each === option}
              onClick={() => choose(each.index)}
            >
              <Mark name={each.choice.mark} size={1.875} />
              <span class="words">{each.choice.text}</span>
            </button>
          ))}
        </div>
      )}
      <AmountSheet key={option.index} option={option} prompt={prompt} at={at} several={options.length > 1} />
    </>
  );
}

function AmountSheet({ option, prompt, at, several }: { option: Option; prompt: Prompt; at: number; several: boolean }) {
  const { choice, index } = option;
  const { amounts } = choice;
  const { say, state } = useDesk();
  const { barred, play } = usePlay(prompt);
  const [counted, setValues] = useState(() => (amounts === null ? {} : least(amounts)));
  if (amounts === null || state.view === null) return null;
  const values = within(amounts, counted);
  const { view } = state;
  const open = amounts.each.filter(({ max }) => max > 0);
  const sum = total(values);
  const enough = sum >= amounts.min;
  const step = (name: string, by: number): void => {
    if (mayStep(amounts, values, name, by)) setValues({ ...values, [name]: (values[name] ?? 0) + by });
  };
  return (
    <div class="amounts" data-amounts={index}>
      {open.map(({ name }) => {
        const { text, mark } = amountName(name, view, prompt.seat);
        const value = values[name] ?? 0;
        return (
          <div key={name} class="amount" data-amount={name} data-value={value}>
            <Mark name={mark} size={2.375} />
            <b class="amount-name">{text}</b>
            <div class="stepper" role="group" aria-label={text}>
              <button type="button" data-step="-1" aria-label={say("less", { what: text })} aria-disabled={!mayStep(amounts, values, name, -1)} onClick={() => step(name, -1)}>
                <Mark name="ui/minus" size={1.25} />
              </button>
              <output aria-live="polite">{value}</output>
              <button type="button" data-step="1" aria-label={say("more", { what: text })} aria-disabled={!mayStep(amounts, values, name, 1)} onClick={() => step(name, 1)}>
                <Mark name="ui/plus" size={1.25} />
              </button>
            </div>
          </div>
        );
      })}
      <div class="sum">
        <Pips sum={sum} amounts={amounts} />
        <b data-total={sum}>{amounts.min > 0 ? say("totalFrom", { n: sum, min: amounts.min, max: amounts.max }) : say("total", { n: sum, max: amounts.max })}</b>
      </div>
      <button
        type="button"
        class={`opt main${enough ? "" : " unready"}`}
        data-choice={index}
        data-prompt={at}
        data-command={JSON.stringify({ ...choice.command, amounts: values })}
        aria-disabled={!enough || barred}
        onClick={() => {
          // The same question may stay: a second tap must not give the same again.
          if (enough && play(choice, values)) setValues(least(amounts));
        }}
      >
        <span class="words">
          {several ? prompt.text : choice.text}
          {(several || choice.detail !== "") && <small>{several ? choice.text : choice.detail}</small>}
        </span>
      </button>
    </div>
  );
}

/** What is given and what is kept, drawn as the thing itself where one of this seat's counters is it. */
function Pips({ sum, amounts }: { sum: number; amounts: Amounts }) {
  const { state, model } = useDesk();
  if (amounts.max > DRAWN || state.view === null) return null;
  const mine = find(state.view.sections, (node) => node.id === model.seat.seat);
  const purse = mine?.nodes.find((node) => node.node === "counter" && node.value === amounts.max && hasMark(node.mark));
  return (
    <span class="pips" aria-hidden="true">
      {Array.from({ length: amounts.max }, (_, index) => (
        <span key={index} class={index < sum ? "given" : "left"}>
          <Mark name={purse?.mark ?? "ui/act"} size={1.5} />
        </span>
      ))}
    </span>
  );
}
