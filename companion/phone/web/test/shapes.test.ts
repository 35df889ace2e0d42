/** Shapes joined at build time: fewer elements, the same drawing. */
import assert from "node:assert/strict";
import { test } from "node:test";

// @ts-expect-error plain JavaScript of the build
import { joined } from "../shapes.mjs";

test("lines of one paint become one path, even across others of the same colour", () => {
  const line = (d: string, width: number): string => `<path d="${d}" fill="none" stroke="currentColor" stroke-width="${width}"/>`;
  assert.equal(joined(line("M0,0L9,9", 3) + line("M4,0H9", 2) + line("M9,0L0,9", 3)), line("M0,0L9,9M9,0L0,9", 3) + line("M4,0H9", 2));
});

test("areas become one path only where they lie apart: one over another could be a hole", () => {
  const apart = '<circle cx="9" cy="24" r="5" fill="currentColor"/><rect x="20" y="0" width="4" height="5" fill="currentColor"/>';
  assert.equal(joined(apart), '<path d="M4 24A5 5 0 1 0 14 24A5 5 0 1 0 4 24ZM20 0H24V5H20Z" fill="currentColor"/>');
  const over = '<circle cx="9" cy="24" r="5" fill="currentColor"/><polygon points="9,20 12,30 0,30" fill="currentColor"/>';
  assert.equal(joined(over), over);
});

test("what lies over another colour stays over it", () => {
  const drawing = '<path d="M0,0H9V9Z" fill="var(--m-base)"/><path d="M1,1H2V2Z" fill="var(--m-on)"/><path d="M20,20H29V29Z" fill="var(--m-base)"/>';
  assert.equal(joined(drawing), drawing);
});
