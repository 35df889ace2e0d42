/**
 * What this phone remembers between visits: localStorage, or memory where that is forbidden or full.
 *
 * Here: safe reading and writing of small JSON values. Not here: what they mean.
 */

const memory = new Map<string, string>();
const PREFIX = "jinmaku.";

export interface Keep {
  get(name: string): unknown;
  put(name: string, value: unknown): void;
  drop(name: string): void;
}

/** Private windows, old embedded browsers and full disks throw from any of these calls. */
export const keep: Keep = {
  get(name) {
    let text = memory.get(name);
    if (text === undefined) {
      try {
        text = localStorage.getItem(PREFIX + name) ?? undefined;
      } catch {
        return undefined;
      }
    }
    try {
      return text === undefined ? undefined : (JSON.parse(text) as unknown);
    } catch {
      return undefined;
    }
  },
  put(name, value) {
    const text = JSON.stringify(value);
    try {
      localStorage.setItem(PREFIX + name, text);
      memory.delete(name);
    } catch {
      memory.set(name, text);
    }
  },
  drop(name) {
    memory.delete(name);
    try {
      localStorage.removeItem(PREFIX + name);
    } catch {
      // It was never there.
    }
  },
};
