/** What is folded away, and not drawn before it is unfolded: most folds stay shut, and what may be taken back is another after every move. Here: that. Not here: what lies inside. */
import type { ComponentChildren, DetailsHTMLAttributes } from "preact";
import { useState } from "preact/hooks";

interface Props extends DetailsHTMLAttributes<HTMLDetailsElement> {
  summary: ComponentChildren;
  /** How its summary is set. */
  label?: string;
  inside: () => ComponentChildren;
}

export function Fold({ summary, label, inside, ...about }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <details {...about} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class={label}>{summary}</summary>
      {open && inside()}
    </details>
  );
}
