/**
 * Questions of pieces and places: who, then where; where is a list and, if the board is drawn, the map, which is there to look at while nothing is asked.
 *
 * Here: the two steps, the map's place and the sheet of a place pressed on the map. Not here: the buttons that play (Prompt.tsx), the drawing (Board.tsx).
 */
import { Fragment } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { type Option, type Where, type Who, find } from "../choices.ts";
import { byPlace } from "../drawing.ts";
import { keep } from "../keep.ts";
import type { Prompt } from "../wire.ts";
import { Mark, hasMark } from "./Mark.tsx";
import { Stacks } from "./Nodes.tsx";
import { OneBoard } from "./OneBoard.tsx";
import { ChoiceButton } from "./Prompt.tsx";
import { mapped, useDesk } from "./desk.ts";

/** The piece chosen last stays chosen while it can be: three Bushi in a row need three taps, not six. */
let lastWho = "";

/** A phone this tall has room for the map above the list from the start. */
const ROOM = matchMedia("(min-height: 700px)");

interface PlacesProps {
  whos: Who[];
  plain: Option[];
  /** None: the board is only to look at. */
  prompt: Prompt | undefined;
  at: number;
  main: boolean;
  /** The board has its place here, whatever is asked. */
  board: boolean;
}

/** The board is the same element of the same parent whatever is asked: to take it elsewhere, or to make it anew, took longer than all the rest of the page. */
export function Places({ whos, plain, prompt, at, main, board }: PlacesProps) {
  const { say, state, drawing } = useDesk();
  const [, choose] = useState(lastWho);
  const [place, setPlace] = useState("");
  useLayoutEffect(() => setPlace(""), [state.stamp, prompt === undefined]); // another question, or none: no place is chosen yet
  const who = whos.find(({ key }) => key === lastWho) ?? whos[0];
  const asked = prompt !== undefined && drawing !== null && mapped(prompt, drawing) ? byPlace(prompt, drawing) : null;
  const list = prompt === undefined || whos.length + plain.length === 0 ? null : <List here={asked?.get(place) ?? []} {...{ who, plain, prompt, at, main, place, setPlace }} />;
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
      {asked === null && list}
      {(board || asked !== null) && <Map asked={asked} who={who} place={place} setPlace={setPlace} />}
      {place !== "" && <Place place={place} />}
      {asked !== null && list}
    </>
  );
}

interface ListProps {
  /** The choices that lead to the place pressed. */
  here: number[];
  who: Who | undefined;
  plain: Option[];
  prompt: Prompt;
  at: number;
  main: boolean;
  place: string;
  setPlace: (place: string) => void;
}

function List({ here, who, plain, prompt, at, main, place, setPlace }: ListProps) {
  const { say } = useDesk();
  if (here.length > 0) {
    return (
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
    );
  }
  if (who !== undefined) return <Wheres who={who} prompt={prompt} at={at} />;
  return (
    <div class="list">
      {plain.map((option) => (
        <ChoiceButton key={option.index} option={option} prompt={prompt} at={at} main={main} next />
      ))}
    </div>
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

/** As it was left; at first folded only where the list would be out of sight. */
function Map({ asked, who, place, setPlace }: { asked: ReadonlyMap<string, number[]> | null; who: Who | undefined; place: string; setPlace: (place: string) => void }) {
  const { say, state, drawing } = useDesk();
  const [left, leave] = useState(() => keep.get("map"));
  const opened = useRef(false); // folded again it stays there, for the next time
  if (drawing === null) return null;
  const open = typeof left === "boolean" ? left : asked === null || ROOM.matches;
  opened.current ||= open;
  const zones = find(state.view?.sections ?? [], ({ id }) => id === "board")?.nodes ?? [];
  const mine = new Set(who?.wheres.map(({ index }) => index) ?? []);
  const lit = asked === null ? NOTHING : new globalThis.Map([...asked].map(([id, choices]) => [id, choices.length]));
  const strong = asked === null || who === undefined ? undefined : new Set([...asked].filter(([, choices]) => choices.some((index) => mine.has(index))).map(([id]) => id));
  return (
    <details
      class="map-fold"
      open={open}
      onToggle={(event) => {
        if (event.currentTarget.open !== open) leave(!open); // the browser's own search opens what it finds in it
      }}
    >
      <summary
        onClick={(event) => {
          event.preventDefault(); // what a hand does is remembered, and not what a turn does
          keep.put("map", !open);
          leave(!open);
          if (open) setPlace(""); // it could not be let go any more
        }}
      >
        <h2 class="label">{asked === null ? say("map") : `${say("where")} · ${say("map")}`}</h2>
      </summary>
      {opened.current && <OneBoard drawing={drawing} zones={zones} lit={lit} strong={strong} chosen={place} choose={setPlace} />}
    </details>
  );
}

const NOTHING: ReadonlyMap<string, number> = new globalThis.Map();

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
