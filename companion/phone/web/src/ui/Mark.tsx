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
  /** For screen readers; without it the drawing says nothing that the words beside it do not. */
  label?: string;
}

export function hasMark(name: string): boolean {
  return Object.prototype.hasOwnProperty.call(MARKS, name);
}

const fillings = new Map<string, (svg: SVGSVGElement | null) => void>();

/** Puts the shapes of a known mark into its svg: read once, then copied, which takes a browser half the time. The svg's key is the name. */
export function filled(name: string): (svg: SVGSVGElement | null) => void {
  let filling = fillings.get(name);
  if (filling === undefined) {
    const read = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    read.innerHTML = MARKS[name] ?? ""; // our own drawings, put in at build time
    const shapes = document.createDocumentFragment();
    shapes.append(...read.childNodes);
    filling = (svg) => svg?.append(shapes.cloneNode(true));
    fillings.set(name, filling);
  }
  return filling;
}

export const Mark = pure(({ name, size = 1.5, cloth = false, label }: Props) => {
  if (!hasMark(name)) return null;
  const clan = name.startsWith("clan/") ? name.slice(5) : undefined;
  return (
    <svg
      class={`mark${clan === undefined ? "" : " clan"}${cloth ? " cloth" : ""}`}
      data-clan={clan}
      viewBox="0 0 48 48"
      width={`${size}rem`}
      height={`${size}rem`}
      role={label === undefined ? undefined : "img"}
      aria-label={label}
      aria-hidden={label === undefined ? "true" : undefined}
      key={name}
      ref={filled(name)}
    />
  );
});
