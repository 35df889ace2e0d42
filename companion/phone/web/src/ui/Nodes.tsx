/**
 * Draws any view tree, whatever game it comes from.
 *
 * Here: one drawing a node kind; ids go into data-id, kinds into data-node. What is private is left out unless `behind`. A kind nobody
 * knows is drawn as its text and its children. Not here: prompts, the page around.
 */
import type { Node, Stack, Step } from "../wire.ts";
import { Clause } from "./Clause.tsx";
import { Mark, hasMark } from "./Mark.tsx";
import { Plot } from "./Plot.tsx";
import { useVoice } from "./desk.ts";
import { pure } from "./pure.ts";

export function Nodes({ nodes, behind, level }: { nodes: Node[]; behind: boolean; level: 2 | 3 | 4 }) {
  return <>{nodes.map((node, index) => (node.private && !behind ? null : <One key={node.id || index} node={node} behind={behind} level={level} />))}</>;
}

const One = pure(({ node, behind, level }: { node: Node; behind: boolean; level: 2 | 3 | 4 }) => {
  switch (node.node) {
    case "counter":
      return <Counter node={node} />;
    case "pieces":
      return (
        <div class="pieces" data-node="pieces" data-id={node.id}>
          <span class="label">{node.text}</span>
          <Stacks stacks={node.stacks} />
        </div>
      );
    case "card":
      return <Card node={node} />;
    case "zone":
      return <Zone node={node} />;
    case "track":
      return (
        <ol class="steps" data-node="track" data-id={node.id} aria-label={node.text}>
          {node.steps.map((step) => (
            <TrackStep key={step.light} step={step} />
          ))}
        </ol>
      );
    case "table":
      return <Table node={node} />;
    case "plot":
      return <Plot node={node} />;
    case "line":
      return (
        <p class="line" data-node="line" data-id={node.id || undefined}>
          {node.text} <Clause id={node.clause} />
        </p>
      );
    case "curtain":
    case "section":
      return <Group node={node} behind={behind} level={level} />;
    default:
      return (
        <div data-node={node.node || "text"} data-id={node.id || undefined}>
          {node.text !== "" && <p class="line">{node.text}</p>}
          <Nodes nodes={node.nodes} behind={behind} level={level} />
        </div>
      );
  }
});

/** A titled group; counters stand in one row, whatever lies between them. What is rarely asked for (`more`) is folded. */
function Group({ node, behind, level }: { node: Node; behind: boolean; level: 2 | 3 | 4 }) {
  const { say, seat, drawn } = useVoice();
  const Title = `h${level}` as "h2";
  if (!behind && node.nodes.length > 0 && node.nodes.every((child) => child.private)) return null;
  const counters = node.nodes.filter((child) => child.node === "counter" && (behind || !child.private));
  const others = node.nodes.filter((child) => child.node !== "counter");
  const cards = others.some((child) => child.node === "card");
  const mine = node.id === seat;
  const title = (
      <Title class="group-title">
        <Mark name={node.mark} size={level === 2 ? 1.5 : 1.75} />
        <span>{level === 2 && node.id === "board" && drawn ? say("places") : node.text}</span>
        {node.who !== "" && node.who !== node.text && <span class="note">{node.who}</span>}
        {mine && level > 2 && <span class="note">{say("you")}</span>}
        {node.lit && (
          <span class="acts">
            <Mark name="ui/act" size={1} />
            {say("mustAct")}
          </span>
        )}
      </Title>
  );
  const content = (
    <>
      {counters.length > 0 && (
        <div class="counters">
          <Nodes nodes={counters} behind={behind} level={4} />
        </div>
      )}
      <div class={`inside${cards ? " cards" : ""}${others.some((child) => child.node === "zone") ? " zones" : ""}`}>
        <Nodes nodes={others} behind={behind} level={level < 4 ? ((level + 1) as 3 | 4) : 4} />
      </div>
    </>
  );
  const about = { "data-node": node.node, "data-id": node.id, "data-lit": node.lit || undefined };
  if (level === 2 && node.id === "more") {
    return (
      <details class="group" {...about}>
        <summary>{title}</summary>
        {content}
      </details>
    );
  }
  return (
    <section class={`group${node.lit ? " lit" : ""}`} {...about}>
      {title}
      {content}
    </section>
  );
}

/** `echo`: the same number once more, near the thumb; only data-mine, so that each data-id is on the page once. */
export const Counter = pure(({ node, echo = false }: { node: Node; echo?: boolean }) => {
  const { say } = useVoice();
  const value = node.value === null ? say("unknown") : String(node.value);
  const drawn = hasMark(node.mark);
  const about = echo ? { "data-mine": node.id } : { "data-node": "counter", "data-id": node.id };
  return (
    <span class="counter" {...about} data-value={node.value ?? ""} title={node.text}>
      <Mark name={node.mark} size={1.375} />
      <span class={drawn ? "sr" : "counter-text"}>{node.text} </span>
      <b>{value}</b>
    </span>
  );
});

export function Stacks({ stacks }: { stacks: Stack[] }) {
  return (
    <ul class="stacks">
      {stacks.map((stack, index) => (
        // Each kind once, as a rule: what comes between two others leaves both as they are.
        <Pieces key={stacks.findIndex(({ kind }) => kind === stack.kind) === index ? stack.kind : index} stack={stack} />
      ))}
    </ul>
  );
}

const Pieces = pure(({ stack }: { stack: Stack }) => (
  <li class="stack" data-kind={stack.kind} data-count={stack.count}>
    {stack.seat !== "" && <Mark name={`clan/${stack.seat}`} size={1.25} />}
    <Mark name={stack.mark} size={1.125} />
    <span>{stack.text}</span>
    {stack.count !== 1 && <b>{stack.count}</b>}
  </li>
));

export function Card({ node }: { node: Node }) {
  const { say } = useVoice();
  return (
    <article class={`card${node.face ? "" : " back"}`} data-node="card" data-id={node.id} data-face={node.face}>
      <Mark name={node.face ? node.mark : "ui/curtain"} size={2.5} />
      <div>
        <p class="card-title">
          {node.seat !== "" && <Mark name={`clan/${node.seat}`} size={1.25} />}
          {node.text}
        </p>
        {!node.face && <p class="soft">{say("faceDown")}</p>}
        {node.detail !== "" && <p class="soft">{node.detail}</p>}
        <Clause id={node.clause} />
      </div>
    </article>
  );
}

function Zone({ node }: { node: Node }) {
  const { say } = useVoice();
  const bare = node.stacks.length === 0;
  return (
    <div class={`zone${bare ? " bare" : ""}`} data-node="zone" data-id={node.id} data-value={node.badge || undefined}>
      <span class="zone-name">
        {hasMark(node.mark) && <Mark name={node.mark} size={1.375} />}
        {node.text}
        {node.badge !== "" && <b class="badge">{node.badge}</b>}
      </span>
      {bare ? <span class="soft">{say("empty")}</span> : <Stacks stacks={node.stacks} />}
    </div>
  );
}

const TrackStep = pure(({ step }: { step: Step }) => {
  const { say } = useVoice();
  const word = say(step.state === "done" ? "stepDone" : step.state === "now" ? "stepNow" : "stepTodo");
  return (
    <li class={`step ${step.state}`} data-light={step.light} data-state={step.state} data-seat={step.seat || undefined} aria-current={step.state === "now" ? "step" : undefined}>
      {hasMark(step.mark) ? <Mark name={step.mark} size={1.5} /> : <i class="lamp" />}
      <span>{step.text}</span>
      {step.seat !== "" && <Mark name={`clan/${step.seat}`} size={1.25} label={step.seat} />}
      <span class="sr">{word}</span>
    </li>
  );
});

function Table({ node }: { node: Node }) {
  return (
    <div class="table" data-node="table" data-id={node.id} role="region" aria-label={node.text} tabIndex={0}>
      <table>
        <caption>{node.text}</caption>
        {node.heads.length > 0 && (
          <thead>
            <tr>
              {node.heads.map((head, index) => (
                <th key={index} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {node.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} class={typeof cell === "number" ? "number" : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
