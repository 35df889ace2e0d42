/** A clause number in small; opens its rule where the referee sent the text. */
import { useState } from "preact/hooks";

import { useDesk } from "./desk.ts";

export function Clause({ id }: { id: string }) {
  const { state, say } = useDesk();
  const [open, setOpen] = useState(false);
  if (id === "") return null;
  const text = state.clauses.get(id);
  if (text === undefined) return <span class="clause" data-clause={id}>{id}</span>;
  return (
    <>
      <button type="button" class="clause opens" data-clause={id} aria-expanded={open} aria-label={say("rule", { clause: id })} onClick={() => setOpen(!open)}>
        {id}
      </button>
      {open && <span class="rule" role="note">{text}</span>}
    </>
  );
}
