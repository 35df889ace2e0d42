/**
 * What only some phones and only some pages can do, asked for politely.
 *
 * Over plain http none of the secure-context extras is there: nothing may rely on them. Here: buzz, staying awake, asking the server
 * whether this page is old, knowing of other windows. Not here: when.
 */

/** Short, long: told apart from a message. Browsers allow it only after a first touch. */
export function buzz(): void {
  const touched = "userActivation" in navigator ? navigator.userActivation.hasBeenActive : true;
  if (touched && "vibrate" in navigator) navigator.vibrate([80, 60, 160]);
}

interface Awake {
  wakeLock?: { request(kind: "screen"): Promise<unknown> };
}

/** Only with the host's own certificate; the browser drops it whenever the page is hidden. */
export function stayAwake(): void {
  (navigator as Awake).wakeLock?.request("screen").catch(() => undefined);
}

/** True when the server now gives out another script than this page runs. */
export async function isOld(): Promise<boolean> {
  const mine = document.querySelector<HTMLScriptElement>("script[src]")?.getAttribute("src");
  const answer = await fetch("./", { cache: "no-store" });
  if (!answer.ok || mine === undefined || mine === null) return false;
  return !(await answer.text()).includes(mine);
}

/** Hears when another window of this browser takes the seat; what it returns takes it for this one. */
export function onlyWindow(name: string, lost: () => void): () => void {
  const key = `jinmaku.window.${name}`;
  const claim = (): void => {
    try {
      localStorage.setItem(key, `${Date.now()}.${Math.random()}`);
    } catch {
      // No shared storage: the referee's "moved" says the same, a little later.
    }
  };
  window.addEventListener("storage", (event) => {
    if (event.key === key && event.newValue !== null) lost();
  });
  return claim;
}
