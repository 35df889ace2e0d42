/**
 * A new picture that keeps every part of the old one that has not changed: what is the same object need not be drawn again.
 *
 * Here: that comparison, for plain JSON-like values. Not here: what is drawn (ui/).
 */

function plain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Equal to `next`, made of parts of `old` wherever those are equal; `old` itself when all of it is. */
export function share<T>(old: unknown, next: T): T {
  if (old === next) return next;
  if (Array.isArray(old) && Array.isArray(next)) {
    const parts = next.map((part, index) => share(old[index], part) as unknown);
    const same = parts.length === old.length && parts.every((part, index) => part === old[index]);
    return (same ? old : parts) as T;
  }
  if (plain(old) && plain(next)) {
    const names = Object.keys(next);
    const parts: Record<string, unknown> = {};
    let same = names.length === Object.keys(old).length;
    for (const name of names) {
      parts[name] = share(old[name], next[name]);
      if (parts[name] !== old[name]) same = false;
    }
    return (same ? old : parts) as T;
  }
  return next;
}
