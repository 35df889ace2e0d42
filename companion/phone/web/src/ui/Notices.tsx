/** What stands between the reader and the table: the line, orders on the way, answers. Private ones only say that they are there. */
import type { Order } from "../orders.ts";
import { Clause } from "./Clause.tsx";
import { Mark, hasMark } from "./Mark.tsx";
import { ChoiceButton } from "./Prompt.tsx";
import { answered, useDesk } from "./desk.ts";

/** Offline and catching up, in words; nothing while online. */
export function LineBanner() {
  const { state, say } = useDesk();
  if (state.status === "online") {
    return state.table ? null : (
      <div class="banner plum" data-banner="table">
        <p>{say("tableAway")}</p>
      </div>
    );
  }
  const catching = state.status === "catching";
  return (
    <div class={`banner ${catching ? "indigo" : "plum"}`} data-banner={state.status}>
      <h2 class="heading">{say(catching ? "catchingTitle" : "offlineTitle")}</h2>
      <p>{say(catching ? (state.table ? "catchingWhy" : "tableAway") : "offlineWhy")}</p>
      {catching && (
        <p class="way" aria-hidden="true">
          <b>{say("stepFound")}</b>
          <i class="passed" />
          <b>{say("stepFetching")}</b>
          <i />
          <span>{say("stepOnline")}</span>
        </p>
      )}
    </div>
  );
}

/** Online an answer takes a blink: the card shows only when it takes longer (style.css .queue.quiet). */
export function Queue() {
  const { state, say, curtain } = useDesk();
  if (state.waiting.length === 0) return null;
  const open = curtain.opening !== "closed";
  const Title = (open ? "h2" : "h1") as "h1";
  return (
    <section class={`queue${state.status === "online" ? " quiet" : ""}`} aria-label={say("queue")}>
      {answered(state) && <Title class="heading">{say("queue")}</Title>}
      {state.waiting.map((order) => (
        <QueueCard key={order.id} order={order} open={open} />
      ))}
    </section>
  );
}

function QueueCard({ order, open }: { order: Order; open: boolean }) {
  const { say, model } = useDesk();
  const hidden = order.private && !open;
  return (
    <div class="notice indigo" data-order={order.id} data-sent={order.sent}>
      {!hidden && hasMark(order.mark) && <Mark name={order.mark} size={1.875} />}
      <div class="words">
        <b>{hidden ? say("queuePrivate") : order.text}</b>
        <small>{say(order.sent ? "queueSent" : "queueWaits")}</small>
      </div>
      <Mark name="ui/wait" size={1.375} />
      {!order.sent && (
        <button type="button" class="opt" data-take-back={order.id} onClick={() => model.takeBack(order)}>
          {say("takeBack")}
        </button>
      )}
    </div>
  );
}

/** Where the table only advises: what was refused may be done all the same. The table asks that as a question of its own. */
function Anyway({ why }: { why: string }) {
  const { state } = useDesk();
  const prompts = state.view?.prompts ?? [];
  const at = prompts.findIndex((prompt) => prompt.choices[0]?.command["do"] === "overrule" && prompt.text.includes(why));
  const prompt = prompts[at];
  return prompt === undefined ? null : prompt.choices.map((choice, index) => <ChoiceButton key={index} option={{ choice, index }} prompt={prompt} at={at} main={false} />);
}

/** The answer to the last order. With the curtain closed, of a secret one only what the open log tells everybody. */
export function Answer() {
  const { state, say, model, curtain } = useDesk();
  const open = curtain.opening !== "closed";
  const { refused, done } = state;
  if (refused !== null) {
    const hidden = refused.private && !open;
    const { text, clause, lawful } = refused.refusal;
    return (
      <div class="notice plum" data-answer="refused" role="alert">
        <Mark name="ui/refused" size={1.5} />
        <div class="words">
          <b>{hidden ? say("refusedTitle") : refused.text}</b>
          <small>
            {hidden ? say("refusedPrivate") : text || say("changed")} {!hidden && <Clause id={clause} />}
          </small>
          {!hidden && lawful.length > 0 && <small>{say("instead", { what: lawful.join("; ") })}</small>}
          {!hidden && text !== "" && <Anyway why={text} />}
        </div>
        <button type="button" class="opt" data-dismiss="refused" onClick={() => model.dismiss()}>
          {say("understood")}
        </button>
      </div>
    );
  }
  if (done === null) return null;
  const known = (event: string): boolean => state.view?.log.some((line) => !line.private && line.text === event) ?? false;
  const told = done.private && !open ? done.events.filter(known) : done.events;
  return (
    <div class="notice pine" data-answer="ok" role="status">
      <Mark name="ui/ok" size={1.5} />
      <div class="words">{told.length === 0 ? say("done") : told.map((event, index) => <p key={index}>{event}</p>)}</div>
    </div>
  );
}
