/**
 * The page: which of its faces is shown, and the frame round it.
 *
 * Three faces: the cloth down (the question is secret, nothing of it is on the page), behind the cloth (held open), and the table.
 * Secrets are in the DOM only while the curtain is open. Not here: parts of a face (Prompt, Nodes, Notices ...), state (model.ts).
 */
import { useEffect, useMemo, useReducer, useRef } from "preact/hooks";

import { Names, all, find, inSteps, lay, named } from "../choices.ts";
import { BOARDS } from "../../build/boards.ts";
import { Curtain } from "../curtain.ts";
import { fitting } from "../drawing.ts";
import type { Timers } from "../link.ts";
import type { Model } from "../model.ts";
import type { Node, View } from "../wire.ts";
import { speaker } from "../words.ts";
import { Counter, Nodes } from "./Nodes.tsx";
import { Answer, LineBanner, Queue } from "./Notices.tsx";
import { Clause, Rule } from "./Clause.tsx";
import { Fold } from "./Fold.tsx";
import { Hem, Pill, seatName } from "./Frame.tsx";
import { Mark } from "./Mark.tsx";
import { Pad } from "./Pad.tsx";
import { Asked, PromptView } from "./Prompt.tsx";
import { Screen } from "./Screens.tsx";
import { Settings } from "./Settings.tsx";
import { pure } from "./pure.ts";
import { type Desk, DeskContext, VoiceContext, answered, mapped, useDesk, useVoice } from "./desk.ts";
import { useBody } from "./body.ts";

export function App({ model, timers, pseudo }: { model: Model; timers: Timers; pseudo: boolean }) {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    const stop = model.watch(() => redraw(0));
    redraw(0); // for what happened between the first drawing and this moment
    return stop;
  }, [model]);
  const curtain = useMemo(() => {
    return new Curtain(timers, (opening) => {
      document.body.dataset["curtain"] = opening; // at once, before any drawing: style.css hides everything private on "closed"
      redraw(0);
    });
  }, [timers]);
  useEffect(() => closing(curtain), [curtain]);
  const { state } = model;
  const say = useMemo(() => speaker(pseudo ? "xx" : state.lang), [state.lang, pseudo]);
  const names = useMemo(() => new Names(state.view ?? EMPTY), [state.view]);
  const drawing = useMemo(() => fitting(BOARDS, find(state.view?.sections ?? [], ({ id }) => id === "board")), [state.view]);
  // Only told where the line is down: a browser takes its time to write a time.
  const asOf = state.asOf === 0 || state.status === "online" ? "" : new Date(state.asOf).toLocaleTimeString(state.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const desk: Desk = { model, state, say, names, drawing, curtain, asOf };
  const { clauses } = state;
  const drawn = drawing !== null;
  const voice = useMemo(() => ({ say, clauses, seat: model.seat.seat, drawn }), [say, clauses, model, drawn]);
  useBody(desk);
  return (
    <VoiceContext.Provider value={voice}>
      <DeskContext.Provider value={desk}>
        <Face />
      </DeskContext.Provider>
    </VoiceContext.Provider>
  );
}

const EMPTY: View = { title: "", subtitle: "", sections: [], prompts: [], waits: [], log: [] };

/** Whatever takes the page from the reader's eyes closes the curtain. */
function closing(curtain: Curtain): () => void {
  const close = (): void => curtain.close();
  const hidden = (): void => {
    if (document.visibilityState !== "visible") curtain.close();
  };
  document.addEventListener("visibilitychange", hidden);
  const away = ["pagehide", "pageshow", "blur", "freeze"];
  for (const event of away) window.addEventListener(event, close);
  return () => {
    document.removeEventListener("visibilitychange", hidden);
    for (const event of away) window.removeEventListener(event, close);
  };
}

function Face() {
  const { state, say, model } = useDesk();
  const { view, door, doorText } = state;
  const reload = { text: say("reload"), press: () => location.reload() };
  if (door === "waiting") return <Screen id="waiting" mark="ui/wait" tone="indigo" title={say("waitingTitle")} text={doorText || say("waitingWhy")} />;
  if (door === "revoked") return <Screen id="revoked" mark="ui/phone" tone="plum" title={say("revokedTitle")} text={doorText || say("revokedWhy")} />;
  if (door === "moved") {
    const here = { text: say("useHere"), press: () => model.useHere() };
    return <Screen id="moved" mark="ui/phone" tone="indigo" title={say("movedTitle")} text={doorText || say("movedWhy")} button={here} />;
  }
  if (door === "refused") return <Screen id="refused" mark="ui/refused" tone="plum" title={say("codeOldTitle")} text={doorText || say("codeOld")} />;
  if (door === "old") return <Screen id="old" mark="ui/careful" tone="ochre" title={say("oldTitle")} text={doorText || say("oldWhy")} button={reload} />;
  if (view === null) {
    const lost = state.status === "offline" && !state.table;
    return <Screen id="connecting" mark="ui/wifi" tone="indigo" title={say("connecting")} text={lost ? say("tableAway") : `${say("connectingWhy")} ${say("offlineWhy")}`} />;
  }
  const secret = secrets(view);
  const hasSecret = secret.prompts.length + secret.nodes.length + secret.log.length > 0;
  return <Faces view={view} secret={secret} hasSecret={hasSecret} />;
}

/** The pad is one element over both faces: a thumb that holds it must not lose it. */
function Faces({ view, secret, hasSecret }: { view: View; secret: Secret; hasSecret: boolean }) {
  const { curtain, state } = useDesk();
  const open = hasSecret && curtain.opening !== "closed";
  const covered = secret.prompts.some(({ prompt }) => !prompt.optional) && !answered(state);
  useEffect(() => {
    if (!hasSecret && curtain.opening !== "closed") curtain.close(); // nothing is left behind it
  }, [hasSecret, curtain]);
  return (
    <>
      {open ? (
        <Behind secret={secret} />
      ) : (
        <div class="open">
          {covered ? <Stage view={view} /> : <Header view={view} />}
          <Table view={view} covered={covered} padded={hasSecret} />
        </div>
      )}
      {hasSecret && <Pad />}
    </>
  );
}

interface Secret {
  prompts: { prompt: View["prompts"][number]; at: number }[];
  nodes: Node[];
  log: Node[];
}

function secrets(view: View): Secret {
  return {
    prompts: view.prompts.map((prompt, at) => ({ prompt, at })).filter(({ prompt }) => prompt.private),
    nodes: all(view.sections, (node) => node.private),
    log: view.log.filter((line) => line.private),
  };
}

/** Mark, name and line; the turn in vermilion under it. */
function Header({ view }: { view: View }) {
  const { model, names, state } = useDesk();
  const { seat } = model.seat;
  const mine = view.prompts.some((prompt) => !prompt.optional) && !answered(state);
  const about = [names.player(seat), view.subtitle].filter((part) => part !== "").join(" · ");
  return <Head seat={seat} name={seatName(names, seat)} about={about} title={view.title} mine={mine} />;
}

const Head = pure(({ seat, name, about, title, mine }: { seat: string; name: string; about: string; title: string; mine: boolean }) => {
  const { say } = useVoice();
  return (
    <header>
      <div class="top">
        <Mark name={`clan/${seat}`} size={2.75} />
        <div class="who">
          <b>{name}</b>
          <span class="soft">{about}</span>
        </div>
        <Pill />
      </div>
      <p class={mine ? "turn" : "phase"} data-turn={mine ? "mine" : undefined}>
        {mine && <Mark name="ui/act" size={1.5} />}
        <span>{!mine ? title : title === "" ? say("yourTurn") : `${say("yourTurn")}: ${title}`}</span>
      </p>
    </header>
  );
});

/** The cloth down: everybody may look at this phone. */
function Stage({ view }: { view: View }) {
  const { model, names, say } = useDesk();
  const first = view.prompts.find((prompt) => prompt.private && !prompt.optional);
  return (
    <header class="stage" data-clan={model.seat.seat}>
      <div class="cloth falls">
        <i class="folds" />
        <div class="rope" />
        <Pill />
        <div class="crest">
          <Mark name={`clan/${model.seat.seat}`} size={14.75} cloth />
          <b>{seatName(names, model.seat.seat)}</b>
          <span>{view.subtitle}</span>
        </div>
        <Hem />
      </div>
      <div class="call" data-turn="mine">
        <Mark name="ui/act" size={1.625} />
        <div>
          <span class="label">{say("yourTurn")}</span>
          <h1 class="heading">{first?.text ?? view.title}</h1>
        </div>
      </div>
    </header>
  );
}

/** Behind the cloth: what only this seat may see, and what it may do about it. */
function Behind({ secret }: { secret: Secret }) {
  const { model, names, curtain, say } = useDesk();
  useEffect(() => window.scrollTo(0, 0), []);
  const others = useRef(new Map<number, Element>());
  const asked = secret.prompts.flatMap(({ prompt }) => [...prompt.choices, ...inSteps(lay(prompt, names).tiles, all(secret.nodes, ({ node }) => node === "card")).map(({ card }) => card)]);
  const shown = secret.nodes.map((node) => without(node, asked));
  return (
    <div
      class="behind"
      data-private
      onClick={() => curtain.use()}
      // A second finger, while the thumb holds: browsers make no click of it.
      onPointerDown={(event) => {
        const button = (event.target as Element).closest("main button");
        if (!event.isPrimary && button !== null) others.current.set(event.pointerId, button);
      }}
      onPointerUp={(event) => {
        const pressed = others.current.get(event.pointerId);
        others.current.delete(event.pointerId);
        if (pressed !== undefined && (event.target as Element).closest("main button") === pressed) (pressed as HTMLElement).click();
      }}
    >
      <header class="valance" data-clan={model.seat.seat}>
        <i class="folds" />
        <Mark name={`clan/${model.seat.seat}`} size={2.25} cloth />
        <b>{seatName(names, model.seat.seat)}</b>
        <Pill />
        <Hem />
      </header>
      <main class="padded">
        <Answer />
        <Queue />
        {secret.prompts.map(({ prompt, at }, index) => (
          <PromptView key={at} prompt={prompt} at={at} first={index === 0} />
        ))}
        {secret.prompts.length === 0 && <h1 class="title">{say("behind")}</h1>}
        <Nodes nodes={shown.filter((node) => node.nodes.length > 0 || node.node !== "curtain")} behind level={2} />
        {secret.log.length > 0 && <Log lines={secret.log} behind />}
      </main>
      <i class="rises" data-clan={model.seat.seat} />
    </div>
  );
}

/** A card that stands there as a tile to choose is not shown a second time. */
function without(node: Node, choices: { mark: string; text: string }[]): Node {
  const chosen = (card: Node): boolean => card.node === "card" && choices.some(({ mark, text }) => mark === card.mark && text === card.text);
  return { ...node, nodes: node.nodes.filter((child) => !chosen(child)).map((child) => without(child, choices)) };
}

/** The open part: what to do, for whom the table waits, and the whole table below. */
function Table({ view, covered, padded }: { view: View; covered: boolean; padded: boolean }) {
  const { model, state, say, asOf, drawing } = useDesk();
  const open = view.prompts.map((prompt, at) => ({ prompt, at })).filter(({ prompt }) => !prompt.private);
  const asked = answered(state) ? [] : open.filter(({ prompt }) => !prompt.optional);
  const offered = open.filter(({ prompt }) => prompt.optional);
  const shown = Math.max(
    asked.findIndex(({ prompt }) => mapped(prompt, drawing)),
    0,
  ); // the one that has the board
  const now = asked[shown];
  const question = ({ prompt, at }: (typeof asked)[number]) => <PromptView key={at} prompt={prompt} at={at} first={!covered && prompt === asked[0]?.prompt} />;
  const names = named(offered.map(({ prompt }) => prompt));
  const mine = find(view.sections, (node) => node.id === model.seat.seat);
  const counters = mine?.nodes.filter((node) => node.node === "counter") ?? [];
  const foot =
    counters.length === 0 ? undefined : (
      <div class="counters mine">
        {counters.map((node) => (
          <Counter key={node.id} node={node} echo />
        ))}
      </div>
    );
  return (
    <main class={`${padded ? "padded" : ""}${state.status === "online" ? "" : " stale"}`}>
      <LineBanner />
      <div aria-live="polite">
        <Answer />
      </div>
      <Queue />
      {asked.slice(0, shown).map(question)}
      <Asked
        key="now"
        prompt={now?.prompt}
        at={now?.at ?? -1}
        first={!covered && shown === 0}
        idle={covered || answered(state) ? null : <Waiting view={view} />}
        foot={foot}
        board
      />
      {asked.slice(shown + 1).map(question)}
      {offered.map(({ prompt, at }, index) => (
        <PromptView key={names[index]} prompt={prompt} at={at} first={false} />
      ))}
      {state.status !== "online" && <p class="label as-of">{say("asOf", { time: asOf })}</p>}
      <Nodes nodes={view.sections} behind={false} level={2} />
      <Log lines={view.log.filter((line) => !line.private)} behind={false} />
      <Settings />
    </main>
  );
}

function Waiting({ view }: { view: View }) {
  const { say, names, model } = useDesk();
  const waits = view.waits.filter(({ seat }) => seat !== model.seat.seat);
  if (waits.length === 0) {
    return (
      <section class="waiting" data-waits="">
        <h1 class="title">{say("nothingToDo")}</h1>
        <p class="soft">{say("nothingToDoWhy")}</p>
      </section>
    );
  }
  return (
    <section class="waiting" data-waits={waits.map(({ seat }) => seat).join(" ")}>
      <p class="label">
        <Mark name="ui/wait" size={1.25} />
        {say("waitingFor")}
      </p>
      {waits.map(({ seat, text }, index) => (
        <Awaited key={seat} seat={seat} name={seatName(names, seat)} player={names.player(seat)} text={text} first={index === 0} />
      ))}
      {[...new Set(waits.map(({ clause }) => clause))].map((clause) => (
        <Rule key={clause} id={clause} />
      ))}
    </section>
  );
}

const Awaited = pure(({ seat, name, player, text, first }: { seat: string; name: string; player: string; text: string; first: boolean }) => (
  <div class="wait" data-wait={seat}>
    <Mark name={`clan/${seat}`} size={2.25} />
    <div>
      {first ? <h1 class="title">{name}</h1> : <h2 class="heading">{name}</h2>}
      {player !== "" && <p class="label">{player}</p>}
      <p class="soft">{text}</p>
    </div>
  </div>
));

/** So many lines are read at a glance; older ones are folded. */
const FRESH = 6;

/** Newest first: the phone is looked at from the top. */
function Log({ lines, behind }: { lines: Node[]; behind: boolean }) {
  const { say } = useDesk();
  if (lines.length === 0) return null;
  const newest = [...lines].reverse();
  const earlier = newest.slice(FRESH);
  return (
    <section class="group log" data-id={behind ? "log.private" : "log"}>
      <h2 class="group-title">
        <Mark name="ui/log" size={1.25} />
        {say("log")}
      </h2>
      <Lines lines={newest.slice(0, FRESH)} />
      {earlier.length > 0 && <Fold label="label" summary={say("earlier")} inside={() => <Lines lines={earlier} />} />}
    </section>
  );
}

function Lines({ lines }: { lines: Node[] }) {
  return (
    <ol>
      {lines.map((line) => (
        <Said key={line.id || line.text} line={line} />
      ))}
    </ol>
  );
}

const Said = pure(({ line }: { line: Node }) => (
  <li data-node="line" data-id={line.id || undefined}>
    {line.text} <Clause id={line.clause} />
  </li>
));
