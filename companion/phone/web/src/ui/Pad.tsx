/**
 * The pad that holds the curtain open, and "keep" beside it. curtain.ts says why it works so.
 *
 * Here: pointers, keys and clicks turned into the machine's words. The pad stays under the finger: it has the same place open or closed.
 */
import type { TargetedPointerEvent } from "preact";
import { useRef } from "preact/hooks";

import { Mark } from "./Mark.tsx";
import { useDesk } from "./desk.ts";

type Pointer = TargetedPointerEvent<HTMLButtonElement>;

export function Pad() {
  const { curtain, state, say, asOf } = useDesk();
  const { opening, left } = curtain;
  const keepRef = useRef<HTMLButtonElement>(null);
  const gesture = useRef({ x: 0, y: 0, wasKept: false });
  const within = (x: number, y: number): boolean => {
    const box = keepRef.current?.getBoundingClientRect();
    return box !== undefined && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  };
  const words =
    opening === "held" ? [say("held"), say("heldWhy")]
    : opening === "kept" ? [`${say("kept")} · ${say("keptLeft", { n: left })}`, say("keptWhy")]
    : [say("hold"), state.status === "online" ? say("holdWhy") : say("holdOld", { time: asOf })];
  return (
    <footer class="pad-wrap">
      <button
        type="button"
        class="pad"
        data-pad={opening}
        aria-expanded={opening !== "closed"}
        onContextMenu={(event) => event.preventDefault()}
        onPointerDown={(event: Pointer) => {
          if (!event.isPrimary || event.button !== 0) return;
          gesture.current = { x: event.clientX, y: event.clientY, wasKept: opening === "kept" };
          try {
            event.currentTarget.setPointerCapture(event.pointerId);
          } catch {
            // A pointer that is already gone: release will not come either, but cancel or blur will.
          }
          curtain.press();
        }}
        onPointerUp={(event: Pointer) => {
          const { x, y } = gesture.current;
          curtain.release(within(event.clientX, event.clientY) && !within(x, y));
        }}
        onPointerCancel={() => curtain.release(false)}
        onLostPointerCapture={() => curtain.release(false)}
        onClick={(event) => {
          // detail 0: a keyboard or a screen reader, which cannot hold.
          if (event.detail === 0) curtain.toggle();
          else if (gesture.current.wasKept) curtain.close();
          gesture.current.wasKept = false;
        }}
      >
        <Mark name="ui/curtain" size={1.875} />
        <span class="words">
          {words[0]}
          <small>{words[1]}</small>
        </span>
      </button>
      {opening === "held" && (
        <button type="button" class="keep" ref={keepRef} onClick={() => curtain.keep()}>
          <Mark name="ui/lock" size={1.375} />
          <small>{say("keep")}</small>
        </button>
      )}
    </footer>
  );
}
