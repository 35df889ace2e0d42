/**
 * Drawings of fewer shapes that look the same: a browser takes its time for every element, and a mark is on the page thirty times.
 *
 * Here: shapes of one paint joined into one path. Lines may cross; areas are joined only where their boxes lie apart, as one path over
 * another of the other direction would be a hole. Only absolute M L H V C Q A Z, circle, rect and polygon: what marks are drawn with.
 */

const VALUES = { M: 2, L: 2, H: 1, V: 1, C: 6, Q: 4, A: 7, Z: 0 };

const numbers = (text) => (text.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
const short = (n) => String(Math.round(n * 1000) / 1000);

function parts(shape) {
  const [, name, rest] = /^<(\w+) ([^]*)\/>$/.exec(shape) ?? [];
  const given = Object.fromEntries([...(rest ?? "").matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value]));
  const take = (...keys) => keys.map((key) => {
    const value = Number(given[key] ?? 0);
    delete given[key];
    return value;
  });
  let d;
  let within;
  if (name === "path") ({ d } = given);
  if (name === "polygon") d = `M${numbers(given.points).map(short).join(" ")}Z`;
  if (name === "circle") {
    const [x, y, r] = take("cx", "cy", "r");
    within = [x - r, y - r, x + r, y + r];
    d = `M${short(x - r)} ${short(y)}A${r} ${r} 0 1 0 ${short(x + r)} ${short(y)}A${r} ${r} 0 1 0 ${short(x - r)} ${short(y)}Z`;
  }
  if (name === "rect" && given.rx === undefined && given.ry === undefined) {
    const [x, y, width, height] = take("x", "y", "width", "height");
    d = `M${short(x)} ${short(y)}H${short(x + width)}V${short(y + height)}H${short(x)}Z`;
  }
  delete given.points;
  delete given.d;
  return { shape, d, paint: Object.entries(given).map(([key, value]) => `${key}="${value}"`).join(" "), colour: colour(given), area: given.fill !== "none", box: within ?? box(d ?? "") };
}

/** Where a path certainly lies within: its points and handles, an arc's ends and its radius about them. */
function box(d) {
  const [xs, ys] = [[], []];
  let [x, y] = [0, 0];
  for (const [, letter, text] of d.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const values = numbers(letter === "A" ? text.replace(/([\d.]+[\s,]+[\d.]+[\s,]+[\d.]+)[\s,]*([01])[\s,]*([01])/g, "$1 $2 $3 ") : text);
    const each = VALUES[letter];
    if (each === undefined || (each > 0 && values.length % each !== 0)) return null;
    for (let at = 0; at < values.length; at += each || 1) {
      const step = values.slice(at, at + each);
      const reach = letter === "A" ? Math.max(step[0], step[1]) * 2 : 0;
      const points = letter === "H" ? [step[0], y] : letter === "V" ? [x, step[0]] : letter === "A" ? step.slice(5) : step;
      for (let i = 0; i < points.length; i += 2) {
        xs.push(points[i] - reach, points[i] + reach);
        ys.push(points[i + 1] - reach, points[i + 1] + reach);
      }
      [x, y] = points.slice(-2);
    }
  }
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function apart(a, b) {
  return a !== null && b !== null && (a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1]);
}

/** Its one colour; "": it has two. What is of one colour may lie in any order. */
function colour({ fill = "black", stroke = "none" }) {
  return fill === "none" ? stroke : stroke === "none" || stroke === fill ? fill : "";
}

/** The same drawing in as few shapes as may be. */
export function joined(drawing) {
  const out = [];
  for (const next of (drawing.match(/<[^>]*\/>/g) ?? []).map(parts)) {
    const fits = (one) => one.paint === next.paint && (!next.area || one.each.every((each) => apart(each, next.box)));
    let at = out.length - 1;
    while (at >= 0 && !fits(out[at]) && next.colour !== "" && out[at].colour === next.colour) at -= 1;
    if (at >= 0 && fits(out[at]) && out[at].d !== undefined && /^M/.test(next.d ?? "")) {
      out[at].d += next.d;
      out[at].each.push(next.box);
    } else {
      out.push({ ...next, each: [next.box] });
    }
  }
  return out.map(({ shape, d, paint, each }) => (each.length === 1 ? shape : `<path d="${d}" ${paint}/>`)).join("");
}
