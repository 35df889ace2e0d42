/** A clause number in small, which opens its rule where the referee sent the text; and the rule itself, for who only waits. */
import { useState } from "preact/hooks";

import { Mark } from "./Mark.tsx";
import { useVoice } from "./desk.ts";
import { pure } from "./pure.ts";

export function Clause({ id, named = false }: { id: string; named?: boolean }) {
  const { clauses, say } = useVoice();
  const [open, setOpen] = useState(false);
  if (id === "") return null;
  const text = clauses.get(id);
  if (text === undefined) return <span class="clause" data-clause={id}>{id}</span>;
  const name = say("rule", { clause: id });
  return (
    <>
      <button type="button" class="clause opens" data-clause={id} aria-expanded={open} aria-label={name} onClick={() => setOpen(!open)}>
        {named ? name : id}
      </button>
      {open && <span class="rule" role="note">{text}</span>}
    </>
  );
}

/** The rule of the current step in plain words, with its clause. */
export const Rule = pure(({ id }: { id: string }) => {
  const { clauses, say } = useVoice();
  const text = clauses.get(id);
  if (text === undefined) return null;
  return (
    <aside class="rule now" data-rule={id}>
      <p class="label">
        <Mark name="ui/why" size={1.125} />
        {say("ruleNow")} <span class="clause">{id}</span>
      </p>
      <p>{text}</p>
    </aside>
  );
});
