/**
 * A new picture that keeps every part of the old one that has not changed: what is the same object need not be read or drawn again.
 *
 * Here: that comparison, for values as JSON has them. Not here: what they mean (wire.ts), what is drawn (ui/).
 */

type Parts = Record<string, unknown>;

function idOf(part: unknown): string {
  const id = typeof part === "object" && part !== null ? (part as Parts)["id"] : undefined;
  return typeof id === "string" ? id : "";
}

/** What stood in `old` for each part of `next`: what has its id, as lists lose their first and gain a last, else what has its place. */
function partners(old: unknown[], next: unknown[]): (part: unknown, at: number) => unknown {
  if (next.length === 0 || idOf(next[0]) === "" || idOf(next[0]) === idOf(old[0])) return (_, at) => old[at];
  const known = new Map(old.map((part) => [idOf(part), part]));
  return (part, at) => known.get(idOf(part)) ?? old[at];
}

/** Equal to `next`, made of parts of `old` wherever those are equal; `old` itself when all of it is. `next` is used up. */
export function share<T>(old: unknown, next: T): T {
  if (typeof next !== "object" || next === null || typeof old !== "object" || old === null || old === next) return next;
  let same = true;
  if (Array.isArray(next)) {
    if (!Array.isArray(old)) return next;
    const partner = partners(old, next);
    same = old.length === next.length;
    for (let at = 0; at < next.length; at += 1) {
      const part: unknown = next[at];
      const kept = share(partner(part, at), part);
      if (kept !== part) next[at] = kept;
      if (kept !== old[at]) same = false;
    }
  } else {
    if (Array.isArray(old)) return next;
    // What JSON made has no names but its own, and lists of them would be as much as the picture itself.
    let more = 0;
    for (const _ in old) more -= 1;
    for (const name in next) {
      more += 1;
      const part = (next as Parts)[name];
      const kept = name === "__proto__" ? part : share((old as Parts)[name], part);
      if (kept !== part) (next as Parts)[name] = kept;
      if (kept !== (old as Parts)[name]) same = false;
    }
    same &&= more === 0;
  }
  return same ? (old as T) : next;
}
