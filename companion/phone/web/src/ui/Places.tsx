/**
 * Questions of pieces and places: who, then where; where is a list and, if the board is drawn, the map.
 *
 * Here: the two steps and the sheet of a place pressed on the map. Not here: the buttons that play (Prompt.tsx), the drawing (Board.tsx).
 */
import { Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import type { Option, Where, Who } from "../choices.ts";
import { byPlace } from "../drawing.ts";
import { keep } from "../keep.ts";
import type { Prompt } from "../wire.ts";
import { Mark, hasMark } from "./Mark.tsx";
import { Stacks } from "./Nodes.tsx";
import { OneBoard } from "./OneBoard.tsx";
import { ChoiceButton } from "./Prompt.tsx";
import { answered, mapped, useDesk } from "./desk.ts";

/** The piece chosen last stays chosen while it can be: three Bushi in a row need three taps, not six. */
let lastWho = "";

/** A phone this tall has room for the map above the list from the start. */
const ROOM = matchMedia("(min-height: 700px)");

export function Places({ whos, plain, prompt, at, main }: { whos: Who[]; plain: Option[]; prompt: Prompt; at: number; main: boolean }) {
  const { say, state, drawing } = useDesk();
  const [chosen, choose] = useState(lastWho);
  const [place, setPlace] = useState("");
  useEffect(() => setPlace(""), [state.stamp]); // another question: no place is chosen yet
  const who = whos.find(({ key }) => key === chosen) ?? whos[0];
  const asked = drawing !== null && mapped(prompt, drawing) ? byPlace(prompt, drawing) : null;
  const here = asked?.get(place) ?? [];
  return (
    <>
      {who !== undefined && (
        <>
          <h2 class="label" id={`who-${at}`}>
            {say("who")}
          </h2>
          <div class="whos" role="group" aria-labelledby={`who-${at}`}>
            {whos.map((each) => (
              <button
                key={each.key}
                type="button"
                class={`opt${each === who ? " pick" : ""}`}
                data-who={each.key}
                data-choices={each.wheres.map(({ index }) => index).join(" ")}
                aria-pressed={each === who}
                onClick={() => {
                  lastWho = each.key;
                  choose(each.key);
                  setPlace("");
                }}
              >
                {hasMark(each.mark) && <Mark name={each.mark} size={1.875} />}
                <span class="words">
                  {each.title}
                  {each.note !== "" && <small>{each.note}</small>}
                </span>
              </button>
            ))}
          </div>
          {asked === null && <h2 class="label">{say("where")}</h2>}
        </>
      )}
      {asked !== null && <Map asked={asked} who={who} place={place} setPlace={setPlace} />}
      {place !== "" && <Place place={place} />}
      {here.length > 0 ? (
        <>
          <div class="list" data-here={place}>
            {sorted(here, who).map((index) => {
              const choice = prompt.choices[index];
              return choice === undefined ? null : <ChoiceButton key={index} option={{ index, choice }} prompt={prompt} at={at} main={false} />;
            })}
          </div>
          <button type="button" class="opt" data-everywhere onClick={() => setPlace("")}>
            <Mark name="ui/undo" size={1.375} />
            <span class="words">{say("allPlaces")}</span>
          </button>
        </>
      ) : who === undefined ? (
        <div class="list">
          {plain.map((option) => (
            <ChoiceButton key={option.index} option={option} prompt={prompt} at={at} main={main} next />
          ))}
        </div>
      ) : (
        <Wheres who={who} prompt={prompt} at={at} />
      )}
    </>
  );
}

/** The piece chosen comes first, in whatever order the game has them. */
function sorted(here: number[], who: Who | undefined): number[] {
  const first = (index: number): number => (who?.wheres.some((where) => where.index === index) ? 0 : 1);
  return [...here].sort((a, b) => first(a) - first(b));
}

/** Under the name of a place where several choices lead there. */
function Wheres({ who, prompt, at }: { who: Who; prompt: Prompt; at: number }) {
  const groups: Where[][] = [];
  for (const where of who.wheres) {
    const group = groups.find(([first]) => first !== undefined && first.heading !== "" && first.heading === where.heading);
    if (group === undefined) groups.push([where]);
    else group.push(where);
  }
  return (
    <div class="list">
      {groups.map((group) => (
        <Fragment key={group[0]?.index}>
          {group[0]?.heading !== "" && <h3 class="label">{group[0]?.heading}</h3>}
          {group.map((where) => (
            <ChoiceButton key={where.index} option={where} prompt={prompt} at={at} main={false} title={where.title} who={who.title} mark={where.heading === "" ? where.mark : where.choice.mark} />
          ))}
        </Fragment>
      ))}
    </div>
  );
}

function Map({ asked, who, place, setPlace }: { asked: ReadonlyMap<string, number[]>; who: Who | undefined; place: string; setPlace: (place: string) => void }) {
  const { say, state, drawing } = useDesk();
  const [open, setOpen] = useState(() => (keep.get("map") ?? ROOM.matches) === true);
  const zones = state.view?.sections.find(({ id }) => id === "board")?.nodes ?? [];
  if (drawing === null) return null;
  const mine = new Set(who?.wheres.map(({ index }) => index) ?? []);
  const strong = who === undefined ? undefined : new Set([...asked].filter(([, choices]) => choices.some((index) => mine.has(index))).map(([id]) => id));
  return (
    <details
      class="map-fold"
      open={open}
      onToggle={(event) => {
        keep.put("map", event.currentTarget.open);
        setOpen(event.currentTarget.open);
      }}
    >
      <summary>
        <h2 class="label">
          {say("where")} · {say("map")}
        </h2>
      </summary>
      {open && <OneBoard drawing={drawing} zones={zones} lit={new globalThis.Map([...asked].map(([id, choices]) => [id, choices.length]))} strong={strong} chosen={place} choose={setPlace} />}
    </details>
  );
}

/** What lies where the finger was. */
export function Place({ place }: { place: string }) {
  const { say, names } = useDesk();
  const shown = useRef<HTMLDivElement>(null);
  const node = names.node(place);
  useEffect(() => shown.current?.scrollIntoView({ block: "center" }), [place]); // the map may fill the phone
  if (node === undefined) return null;
  return (
    <div class="lies" ref={shown} role="status" data-lies={place}>
      <h3 class="heading">
        {hasMark(node.mark) && <Mark name={node.mark} size={1.5} />}
        {node.text}
        {node.badge !== "" && <b class="badge">{node.badge}</b>}
      </h3>
      {node.stacks.length === 0 ? <span class="soft">{say("empty")}</span> : <Stacks stacks={node.stacks} />}
    </div>
  );
}

/** The board to look at, while no question shows it. */
export function Picture() {
  const { state, drawing } = useDesk();
  const [place, setPlace] = useState("");
  const zones = state.view?.sections.find(({ id }) => id === "board")?.nodes ?? [];
  const asked = !answered(state) && (state.view?.prompts.some((prompt) => !prompt.optional && mapped(prompt, drawing)) ?? false);
  if (drawing === null || asked) return null;
  return (
    <>
      <OneBoard drawing={drawing} zones={zones} lit={NOTHING} chosen={place} choose={setPlace} />
      {place !== "" && <Place place={place} />}
    </>
  );
}

const NOTHING: ReadonlyMap<string, number> = new globalThis.Map();
