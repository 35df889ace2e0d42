/**
 * The board as a picture and as a chooser: lit where a choice of the question leads, pressed to see what lies there and what may be done.
 *
 * Here: one SVG of a Drawing filled with a view's zones. Lit places are buttons for fingers, keys and screen readers; the others may be
 * pressed too, but their content is also written in the list of zones, so keys pass them by. It may be enlarged and scrolled; two fingers
 * enlarge it as any page. Not here: what a press does (Prompt.tsx, Nodes.tsx).
 */
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { Names } from "../choices.ts";
import { type Area, type Counted, type Drawing, type Point, type Shrine, counted } from "../drawing.ts";
import type { Node } from "../wire.ts";
import { MARKS } from "../../build/marks.ts";
import { seatName } from "./Frame.tsx";
import { Mark, hasMark } from "./Mark.tsx";
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
  const placed = (id: string): Placed => {
    const node = zones.find((zone) => zone.id === id);
    const count = lit.get(id) ?? 0;
    const lies = count === 0 ? [] : (node?.stacks.map(({ text, seat, count: n }) => `${seat === "" ? "" : seatName(names, seat)} ${text} ${n}`.trim()) ?? []);
    return {
      node,
      count,
      label: count === 0 ? "" : [node?.text || id, say("choices", { n: count }), lies.join(", ")].filter((part) => part !== "").join(". "),
      look: count === 0 ? (asked ? "dim" : "") : strong !== undefined && !strong.has(id) ? "lit weak" : "lit",
      picked: id === chosen,
      choose,
    };
  };
  return (
    <div class={`map${large ? " large" : ""}`}>
      <div class="sea" ref={frame} tabIndex={large ? 0 : undefined} role={large ? "region" : undefined} aria-label={large ? say("board") : undefined}>
        <svg viewBox={`0 0 ${width} ${height}`} role="group" aria-label={say("board")} data-board>
          <Water drawing={drawing} />
          {drawing.zones.map((area) => (
            <Land key={area.id} area={area} {...placed(area.id)} />
          ))}
          <g class="lines" aria-hidden="true">
            <Edges drawing={drawing} />
            {drawing.zones.map(({ id, outline }) => (lit.has(id) ? <path key={id} class={`glow${strong !== undefined && !strong.has(id) ? " weak" : ""}`} d={outline} /> : null))}
            {drawing.zones.map(({ id, outline }) => (id === chosen ? <path key={id} class="chosen" d={outline} /> : null))}
          </g>
          {drawing.zones.map((area) => (
            <Things key={area.id} area={area} node={zones.find(({ id }) => id === area.id)} />
          ))}
          {drawing.shrines.map((shrine) => (
            <Temple key={shrine.id} shrine={shrine} size={drawing.shrine} {...placed(shrine.id)} />
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

interface Placed {
  node: Node | undefined;
  count: number;
  /** What a screen reader says of it; only where it is lit. */
  label: string;
  look: string;
  picked: boolean;
  choose: (place: string) => void;
}

/** What makes a drawn place a button: only a lit one is for keys and screen readers. */
function button(id: string, { count, label, look, picked, choose }: Placed) {
  const press = (): void => choose(picked ? "" : id);
  const lit = count > 0;
  const about = { "data-place": id, "data-lit": lit ? count : undefined, class: `place ${look}${picked ? " picked" : ""}`, onClick: press };
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

const Land = pure(({ area, ...placed }: { area: Area } & Placed) => (
  <g {...button(area.id, placed)}>
    <path d={area.outline} />
  </g>
));

const Temple = pure(({ shrine, size, ...placed }: { shrine: Shrine; size: number } & Placed) => {
  const [x = 0, y = 0] = shrine.at;
  const { node } = placed;
  const people = counted(node?.stacks ?? []);
  return (
    <g {...button(shrine.id, placed)}>
      <rect class="reach" x={x - 88} y={y - 82} width={176} height={200} />
      <circle class="temple" cx={x} cy={y} r={size / 2} />
      {node !== undefined && hasMark(node.mark) && <Drawn name={node.mark} at={shrine.at} size={size * 0.62} />}
      {people.slice(0, 4).map((one, index) => (
        <Token key={`${one.building} ${one.seat} ${one.mark}`} one={one} at={shrine.worshippers[index] ?? shrine.at} size={58} />
      ))}
    </g>
  );
});

/** About as wide as a letter of a name, on a phone. */
const LETTER = 24;

/** Names (behind the number of their war) and counters, over the edges and deaf to fingers. */
const Things = pure(({ area, node }: { area: Area; node: Node | undefined }) => {
  const all = counted(node?.stacks ?? []);
  const figures = all.filter(({ building }) => !building);
  const [x = 0, y = 0] = area.label;
  const badge = node?.badge ?? "";
  const wide = (node?.text.length ?? 0) * LETTER;
  return (
    <g class="things" aria-hidden="true">
      {badge !== "" && <War at={[x - wide / 2 - 12, y]} badge={badge} />}
      <text class="name" x={badge === "" ? x : x + 36} y={y + 15} text-anchor="middle">
        {node?.text ?? ""}
      </text>
      {all
        .filter(({ building }) => building)
        .slice(0, area.strongholds.length)
        .map((one, index) => (
          <Token key={`b ${one.seat} ${one.mark}`} one={one} at={area.strongholds[index] ?? area.label} size={50} />
        ))}
      {figures.slice(0, area.few.length).map((one, index) => (
        <Token key={`f ${one.seat} ${one.mark}`} one={one} at={area.few[index] ?? area.label} size={area.pitch * 0.88} />
      ))}
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

/** A clan's mark with how many; a building as a square in the clan's dye. */
function Token({ one, at, size }: { one: Counted; at: Point; size: number }) {
  const [x = 0, y = 0] = at;
  return (
    <g class="token" data-clan={one.seat || undefined}>
      {one.building && <rect class="base" x={x - size / 2} y={y - size / 2} width={size} height={size} rx={5} />}
      <g class={one.building ? "on-base" : undefined}>
        <Drawn name={one.mark} at={at} size={one.building ? size * 0.78 : size} />
      </g>
      {one.count > 1 && (
        <g class="many">
          <circle cx={x + size * 0.42} cy={y - size * 0.36} r={23} />
          <text x={x + size * 0.42} y={y - size * 0.36 + 13} text-anchor="middle">
            {one.count}
          </text>
        </g>
      )}
    </g>
  );
}

function Drawn({ name, at: [x = 0, y = 0], size }: { name: string; at: Point; size: number }) {
  const shapes = hasMark(name) ? MARKS[name] : undefined;
  if (shapes === undefined) return null;
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
      dangerouslySetInnerHTML={{ __html: shapes /* our own drawings, put in at build time */ }}
    />
  );
}
