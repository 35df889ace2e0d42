/**
 * The board as a picture and as a chooser: lit where a choice of the question leads, pressed to see what lies there and what may be done.
 *
 * Here: one SVG of a Drawing filled with a view's zones. Lit places are buttons for fingers, keys and screen readers; the others may be
 * pressed too, but their content is also written in the list of zones, so keys pass them by. It may be enlarged and scrolled; two fingers
 * enlarge it as any page. Not here: what a press does (Prompt.tsx, Nodes.tsx).
 */
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";

import type { Names } from "../choices.ts";
import { type Area, type Counted, type Drawing, type Point, type Shrine, counted } from "../drawing.ts";
import type { Node } from "../wire.ts";
import type { Say } from "../words.ts";
import { seatName } from "./Frame.tsx";
import { Mark, filled, hasMark } from "./Mark.tsx";
import { useVoice } from "./desk.ts";
import { pure } from "./pure.ts";

export interface Shown {
  drawing: Drawing;
  names: Names;
  zones: readonly Node[];
  /** Place -> how many choices lead there. Empty: a picture only. */
  lit: ReadonlyMap<string, number>;
  /** Places lit by the piece chosen; the other lit ones are quieter. Absent: all the same. */
  strong?: ReadonlySet<string> | undefined;
  chosen: string;
  choose: (place: string) => void;
}

export function Board({ drawing, names, zones, lit, strong, chosen, choose }: Shown) {
  const { say } = useVoice();
  const [large, setLarge] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const [width = 0, height = 0] = drawing.size;
  const asked = lit.size > 0;
  useLayoutEffect(() => {
    // Enlarged, what may be pressed is in the middle of what is seen.
    const at = [...drawing.zones, ...drawing.shrines].find(({ id }) => (chosen === "" ? lit.has(id) : id === chosen));
    if (large && at !== undefined && frame.current !== null) {
      const { scrollWidth, clientWidth } = frame.current;
      frame.current.scrollLeft = ((("label" in at ? at.label : at.at)[0] ?? 0) / width) * scrollWidth - clientWidth / 2;
    }
  }, [large, asked]);
  const latest = useRef(choose);
  latest.current = choose;
  const press = useCallback((place: string) => latest.current(place), []); // the same wherever the drawing is lent to
  const outlines = (some: { has: (id: string) => boolean }): string => drawing.zones.map(({ id, outline }) => (some.has(id) ? outline : "")).join("");
  const shown: Choosing = { zones: asked ? zones : NONE, names: asked ? names : null, lit, strong, chosen, choose: press };
  return (
    <div class={`map${large ? " large" : ""}`}>
      <div class="sea" ref={frame} tabIndex={large ? 0 : undefined} role={large ? "region" : undefined} aria-label={large ? say("board") : undefined}>
        <svg viewBox={`0 0 ${width} ${height}`} role="group" aria-label={say("board")} class={asked ? "asked" : undefined} data-board>
          <Water drawing={drawing} />
          <Lands drawing={drawing} {...shown} />
          <g class="lines" aria-hidden="true">
            <Edges drawing={drawing} />
            <Glow weak lines={strong === undefined ? "" : outlines({ has: (id) => lit.has(id) && !strong.has(id) })} />
            <Glow lines={outlines(strong === undefined ? lit : strong)} />
            {drawing.zones.map(({ id, outline }) => (id === chosen ? <path key={id} class="chosen" d={outline} /> : null))}
          </g>
          {drawing.zones.map((area) => (
            <Things key={area.id} area={area} node={zones.find(({ id }) => id === area.id)} />
          ))}
          {drawing.shrines.map((shrine) => (
            <Temple key={shrine.id} shrine={shrine} node={zones.find(({ id }) => id === shrine.id)} size={drawing.shrine} {...placed(shrine.id, shown, say)} />
          ))}
        </svg>
      </div>
      <button type="button" class="zoom" aria-pressed={large} onClick={() => setLarge(!large)} data-zoom>
        <Mark name={large ? "ui/minus" : "ui/plus"} size={1.25} />
        <span class="sr">{say("enlarge")}</span>
      </button>
    </div>
  );
}

/** One string: the browser makes its forty shapes of it in a third of the time that forty elements take. */
const Water = pure(({ drawing }: { drawing: Drawing }) => {
  const shallows = [78, 52, 26].map((reach) => `<g class="shallow" stroke-width="${reach}">${drawing.coasts.map((ring) => `<path d="${ring}"/>`).join("")}</g>`);
  const waves = drawing.waves.map(([x = 0, y = 0]) => `<path d="M${x - 22} ${y}q11-14 22 0t22 0"/>`);
  const routes = drawing.routes.map((line) => `<path class="route" d="${line}"/>`);
  const shapes = `${shallows.join("")}<g class="waves">${waves.join("")}</g>${routes.join("")}`;
  return <g aria-hidden="true" dangerouslySetInnerHTML={{ __html: shapes /* our own drawing, put in at build time */ }} />;
});

/** Coasts and borders, over the lands. */
const Edges = pure(({ drawing }: { drawing: Drawing }) => {
  const shapes = [...drawing.borders.map((line) => `<path class="border" d="${line}"/>`), ...drawing.coasts.map((ring) => `<path class="coast" d="${ring}"/>`)];
  return <g dangerouslySetInnerHTML={{ __html: shapes.join("") /* our own drawing, put in at build time */ }} />;
});

/** The edges of all lit lands at once. */
const Glow = pure(({ lines, weak = false }: { lines: string; weak?: boolean }) => (lines === "" ? null : <path class={`glow${weak ? " weak" : ""}`} d={lines} />));

const NONE: readonly Node[] = [];

/** What is asked of the board; nothing of it changes from picture to picture where nothing is asked. */
interface Choosing extends Pick<Shown, "zones" | "lit" | "strong" | "chosen" | "choose"> {
  names: Names | null;
}

interface Placed {
  count: number;
  /** What a screen reader says of it; only where it is lit. */
  label: string;
  look: string;
  picked: boolean;
  choose: (place: string) => void;
}

function placed(id: string, { zones, names, lit, strong, chosen, choose }: Choosing, say: Say): Placed {
  const count = lit.get(id) ?? 0;
  if (count === 0) return { count, label: "", look: "", picked: id === chosen, choose };
  const node = zones.find((zone) => zone.id === id);
  const lies = node?.stacks.map(({ text, seat, count: n }) => `${seat === "" || names === null ? "" : seatName(names, seat)} ${text} ${n}`.trim()) ?? [];
  const label = [node?.text || id, say("choices", { n: count }), lies.join(", ")].filter((part) => part !== "").join(". ");
  return { count, label, look: strong !== undefined && !strong.has(id) ? " lit weak" : " lit", picked: id === chosen, choose };
}

/** What makes a drawn place a button: only a lit one is for keys and screen readers. */
function button(id: string, { count, label, look, picked, choose }: Placed) {
  const press = (): void => choose(picked ? "" : id);
  const lit = count > 0;
  const about = { "data-place": id, "data-lit": lit ? count : undefined, class: `place${look}${picked ? " picked" : ""}`, onClick: press };
  if (!lit) return { ...about, "aria-hidden": "true" as const };
  return {
    ...about,
    role: "button" as const,
    tabindex: 0, // as SVG spells it
    "aria-pressed": picked,
    "aria-label": label,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      press();
    },
  };
}

const Lands = pure(({ drawing, ...shown }: { drawing: Drawing } & Choosing) => {
  const { say } = useVoice();
  return (
    <>
      {drawing.zones.map((area) => (
        <Land key={area.id} area={area} {...placed(area.id, shown, say)} />
      ))}
    </>
  );
});

const Land = pure(({ area, ...placed }: { area: Area } & Placed) => (
  <g {...button(area.id, placed)}>
    <path d={area.outline} />
  </g>
));

const Temple = pure(({ shrine, node, size, ...placed }: { shrine: Shrine; node: Node | undefined; size: number } & Placed) => {
  const [x = 0, y = 0] = shrine.at;
  const people = counted(node?.stacks ?? []);
  return (
    <g {...button(shrine.id, placed)}>
      <rect class="reach" x={x - 88} y={y - 82} width={176} height={200} />
      <circle class="temple" cx={x} cy={y} r={size / 2} />
      {node !== undefined && hasMark(node.mark) && <Drawn name={node.mark} x={x} y={y} size={size * 0.62} />}
      <Tokens all={people} anchors={shrine.worshippers.slice(0, 4)} size={58} />
    </g>
  );
});

/** About as wide as a letter of a name, on a phone. */
const LETTER = 24;

/** Names (behind the number of their war) and counters, over the edges and deaf to fingers. */
const Things = pure(({ area, node }: { area: Area; node: Node | undefined }) => {
  const all = counted(node?.stacks ?? []);
  const [x = 0, y = 0] = area.label;
  const badge = node?.badge ?? "";
  const wide = (node?.text.length ?? 0) * LETTER;
  return (
    <g class="things" aria-hidden="true">
      {badge !== "" && <War at={[x - wide / 2 - 12, y]} badge={badge} />}
      <text class="name" x={badge === "" ? x : x + 36} y={y + 15} text-anchor="middle">
        {node?.text ?? ""}
      </text>
      <Tokens all={all.filter(({ building }) => building)} anchors={area.strongholds} size={50} />
      <Tokens all={all.filter(({ building }) => !building)} anchors={area.few} size={area.pitch * 0.88} />
    </g>
  );
});

function War({ at: [x = 0, y = 0], badge }: { at: Point; badge: string }) {
  return (
    <g class="war">
      <path d={`M${x} ${y - 32}l32 32-32 32-32-32z`} />
      <text x={x} y={y + 15} text-anchor="middle">
        {badge}
      </text>
    </g>
  );
}

/** A clan's mark with how many; a building as a square in the clan's dye. Drawn about its own middle: moved, it is one attribute that changes. */
const Token = pure(({ x, y, mark, seat, count, building, size }: { x: number; y: number; mark: string; seat: string; count: number; building: boolean; size: number }) => (
  <g class={building ? "token building" : "token"} data-clan={seat || undefined} transform={`translate(${x} ${y})`}>
    {building && <rect class="base" x={-size / 2} y={-size / 2} width={size} height={size} rx={5} />}
    <Drawn name={mark} x={0} y={0} size={building ? size * 0.78 : size} />
    {count > 1 && (
      <g class="many">
        <circle cx={size * 0.42} cy={size * -0.36} r={23} />
        <text x={size * 0.42} y={size * -0.36 + 13} text-anchor="middle">
          {count}
        </text>
      </g>
    )}
  </g>
));

function Drawn({ name, x, y, size }: { name: string; x: number; y: number; size: number }) {
  if (!hasMark(name)) return null;
  const clan = name.startsWith("clan/");
  return (
    <svg
      class={clan ? "clan" : undefined}
      data-clan={clan ? name.slice(5) : undefined}
      x={x - size / 2}
      y={y - size / 2}
      width={size}
      height={size}
      viewBox="0 0 48 48"
      key={name}
      ref={filled(name)}
    />
  );
}

/** Counters at the anchors of a place, as many as those are. */
function Tokens({ all, anchors, size }: { all: readonly Counted[]; anchors: readonly Point[]; size: number }) {
  return (
    <>
      {all.slice(0, anchors.length).map(({ building, mark, seat, count }, index) => {
        const [x = 0, y = 0] = anchors[index] ?? [];
        return <Token key={`${building} ${seat} ${mark}`} x={x} y={y} mark={mark} seat={seat} count={count} building={building} size={size} />;
      })}
    </>
  );
}
