/** The drawings of companion/look/marks, inlined. Here: drawing one. Not here: which. */
import { MARKS } from "../../build/marks.ts";
import { pure } from "./pure.ts";

interface Props {
  /** Path below marks/ without .svg; a name nobody drew draws nothing. */
  name: string;
  /** In rem, so that it grows with the text. */
  size?: number;
  /** Dyed out of the clan's own cloth instead of drawn on paper. */
  cloth?: boolean;
  /** Shows that a press goes on from here: vermilion. */
  goes?: boolean;
  /** For screen readers; without it the drawing says nothing that the words beside it do not. */
  label?: string;
}

export function hasMark(name: string): boolean {
  return Object.prototype.hasOwnProperty.call(MARKS, name);
}

export const Mark = pure(({ name, size = 1.5, cloth = false, goes = false, label }: Props) => {
  const shapes = hasMark(name) ? MARKS[name] : undefined;
  if (shapes === undefined) return null;
  const clan = name.startsWith("clan/") ? name.slice(5) : undefined;
  return (
    <svg
      class={`mark${clan === undefined ? "" : " clan"}${cloth ? " cloth" : ""}${goes ? " goes" : ""}`}
      data-clan={clan}
      viewBox="0 0 48 48"
      width={`${size}rem`}
      height={`${size}rem`}
      role={label === undefined ? undefined : "img"}
      aria-label={label}
      aria-hidden={label === undefined ? "true" : undefined}
      dangerouslySetInnerHTML={{ __html: shapes /* our own drawings, put in at build time */ }}
    />
  );
});
