/** One line a series, told apart by dash and by the mark or name at its end, never by colour alone. */
import type { Node } from "../wire.ts";
import { Mark, hasMark } from "./Mark.tsx";
import { useDesk } from "./desk.ts";

const WIDTH = 300;
const HEIGHT = 140;
const DASHES = ["", "8 4", "2 4", "10 3 2 3", "4 2", "14 4", "1 3", "6 2 1 2"];

export function Plot({ node }: { node: Node }) {
  const { names } = useDesk();
  const points = node.series.flatMap(([, values]) => values);
  const low = Math.min(0, ...points);
  const high = Math.max(1, ...points);
  const longest = Math.max(2, ...node.series.map(([, values]) => values.length));
  const x = (index: number): number => (index / (longest - 1)) * WIDTH;
  const y = (value: number): number => HEIGHT - ((value - low) / (high - low)) * HEIGHT;
  return (
    <figure class="plot" data-node="plot" data-id={node.id}>
      <figcaption>{node.text}</figcaption>
      <svg viewBox={`-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`} aria-hidden="true">
        <path class="axis" d={`M0,0V${HEIGHT}H${WIDTH}`} />
        {node.series.map(([name, values], index) => (
          <polyline key={name} data-clan={name} stroke-dasharray={DASHES[index % DASHES.length]} points={values.map((value, at) => `${x(at)},${y(value)}`).join(" ")} />
        ))}
      </svg>
      <ul class="legend">
        {node.series.map(([name, values], index) => (
          <li key={name} data-series={name} data-value={values.join(",")}>
            <svg viewBox="0 0 36 8" width="2.25rem" height="0.5rem" aria-hidden="true">
              <path data-clan={name} stroke-dasharray={DASHES[index % DASHES.length]} d="M0,4H36" />
            </svg>
            {hasMark(`clan/${name}`) && <Mark name={`clan/${name}`} size={1.25} />}
            <span>
              {names.place(name) || name} <b>{values[values.length - 1]}</b>
            </span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
