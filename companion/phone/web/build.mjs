/**
 * Builds the page: tokens and marks into CSS and TypeScript, then one script, one style sheet and index.html, names by content.
 *
 *   node build.mjs TOKENS.json MARKS_DIR FONTS_DIR OUT_DIR      the page
 *   node build.mjs TOKENS.json MARKS_DIR                        only build/ (for the type check)
 *
 * boards.json lies beside TOKENS.json: every game's drawing of its board.
 *
 * hatch_build.py calls it with the tokens read from TOML and the fonts cut to size. Nothing here asks the network.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { joined } from "./shapes.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const MADE = join(HERE, "build");
const INK = "#1C1815";

const kebab = (name) => name.replaceAll("_", "-");
const rem = (px) => `${Math.round((px / 16) * 1e4) / 1e4}rem`;

/** Custom properties: both themes, clans, type, space, motion. A size in rem follows the reader's text size. */
function css(tokens) {
  const theme = (name) =>
    Object.entries(tokens.color[name]).map(([key, value]) => `--${kebab(key)}:${value};`).join("") +
    `--mark-rim:${name === "day" ? "none" : tokens.color.night.ink};--shade:${name === "day" ? "28,24,21" : "0,0,0"};color-scheme:${name === "day" ? "light" : "dark"};`;
  const rules = [
    `:root,[data-theme="day"]{${theme("day")}}`,
    `[data-theme="night"]{${theme("night")}}`,
    `@media (prefers-color-scheme:dark){:root:not([data-theme]){${theme("night")}}}`,
  ];
  for (const clans of Object.values(tokens.clan)) {
    for (const [id, clan] of Object.entries(clans)) rules.push(`[data-clan="${id}"]{--clan:${clan.base};--clan-on:${clan.on};--clan-weave:${clan.weave}}`);
  }
  const family = (names) => names.filter((name) => !name.includes("CJK")).map((name) => (/^[a-z-]+$/.test(name) ? name : `"${name}"`)).join(",");
  const serif = new Set(["numeral", "title", "heading"]);
  const roles = Object.entries(tokens.type.phone).map(([role, [size, line, weight]]) => {
    return `--t-${role}:${weight} ${rem(size)}/${rem(line)} var(--${serif.has(role) ? "display" : "text"});`;
  });
  const times = Object.entries(tokens.motion).map(([key, value]) => `--${kebab(key)}:${typeof value === "number" ? `${value}ms` : value};`);
  const space = Object.entries(tokens.space).map(([key, value]) => `--s-${key}:${rem(value)};`);
  const radius = Object.entries(tokens.radius).map(([key, value]) => `--r-${key}:${value}px;`);
  rules.push(
    `:root{--display:${family(tokens.type.display)};--text:${family(tokens.type.text)};--mono:${family(tokens.type.mono)};` +
      `${roles.join("")}${times.join("")}${space.join("")}${radius.join("")}--touch:${rem(tokens.touch.phone_min)};--hit:${rem(64)};--lit:${tokens.stroke.lit}px;--line-w:${tokens.stroke.line}px}`,
  );
  return rules.join("\n") + "\n";
}

/** Drawings as strings of shapes. One-colour marks take the text's colour; a clan's dyes become variables, with its rim beneath. */
function marks(folder, tokens) {
  const clans = Object.assign({}, ...Object.values(tokens.clan));
  const out = {};
  for (const group of readdirSync(folder, { withFileTypes: true })) {
    if (!group.isDirectory() || group.name === "mono") continue;
    for (const file of readdirSync(join(folder, group.name))) {
      if (!file.endsWith(".svg")) continue;
      const name = `${group.name}/${basename(file, ".svg")}`;
      let shapes = readFileSync(join(folder, group.name, file), "utf-8").replace(/^[^]*?<\/title>/, "").replace(/<\/svg>\s*$/, "");
      if (!/^(<(path|circle|rect|polygon) [^<>]*\/>)+$/.test(shapes)) throw new Error(`${file}: only path, circle, rect and polygon are drawn`);
      const dye = group.name === "clan" ? clans[basename(file, ".svg")] : undefined;
      if (dye === undefined) {
        shapes = shapes.replaceAll(INK, "currentColor");
      } else {
        const rim = (shapes.match(/<[^>]*\/>/g) ?? [])
          .filter((shape) => shape.includes(`fill="${dye.base}"`))
          .map((shape) => shape.replace(`fill="${dye.base}"`, 'fill="none" stroke="var(--mark-rim)" stroke-width="3.2" stroke-linejoin="round"'));
        for (const [part, colour] of [["base", dye.base], ["weave", dye.weave], ["on", dye.on]]) shapes = shapes.replaceAll(colour, `var(--m-${part})`);
        shapes = rim.join("") + shapes;
      }
      out[name] = joined(shapes);
    }
  }
  return `/** Made by build.mjs from companion/look/marks. */\nexport const MARKS: Record<string, string> = ${JSON.stringify(out, null, 1)};\n`;
}

function fonts(folder) {
  const face = (family, weight, file) =>
    `@font-face{font-family:"${family}";font-weight:${weight};font-style:normal;font-display:swap;src:url("${join(folder, file)}") format("woff")}`;
  return [
    face("Noto Sans JP", 400, "NotoSansJP-Regular.woff"),
    face("Noto Sans JP", 700, "NotoSansJP-Bold.woff"),
    face("Noto Serif JP", 700, "NotoSerifJP-Bold.woff"),
  ].join("\n") + "\n";
}

/** A line of points as a path, in whole units, each point from the one before; the first stands for itself, so that paths may follow on one another. */
function path(points, closed) {
  let [x, y] = [0, 0];
  const steps = points.map(([a, b], index) => {
    const [dx, dy] = [Math.round(a) - x, Math.round(b) - y];
    [x, y] = [Math.round(a), Math.round(b)];
    return `${["M", "l"][index] ?? ""}${dx}${dy < 0 ? "" : " "}${dy}`;
  });
  return steps.join(" ").replace(/ -/g, "-") + (closed ? "z" : "");
}

/** What the phone draws of a board: outlines as paths, anchors as they are. Islands are zones that share no border. */
function boards(drawings) {
  const out = drawings.map((drawing) => {
    const joined = new Set((drawing.border ?? []).flatMap(({ between }) => between));
    const islands = Object.entries(drawing.zone).filter(([id]) => !joined.has(id));
    return {
      size: drawing.size,
      shrine: drawing.metric.shrine ?? 0,
      zones: Object.entries(drawing.zone).map(([id, zone]) => ({
        id,
        outline: path(zone.outline, true),
        label: zone.label,
        few: zone.few ?? zone.figures.slice(0, 6),
        pitch: zone.few_pitch ?? zone.pitch,
        strongholds: zone.strongholds ?? [],
      })),
      coasts: [...Object.values(drawing.coast ?? {}), ...islands.map(([, zone]) => zone.outline)].map((ring) => path(ring, true)),
      borders: (drawing.border ?? []).map(({ line }) => path(line, false)),
      routes: (drawing.route ?? []).map(({ line }) => path(line, false)),
      shrines: (drawing.shrine ?? []).map(({ slot, at, worshippers }) => ({ id: `shrine.${slot}`, at, worshippers })),
      waves: drawing.decor?.waves ?? [],
    };
  });
  return `/** Made by build.mjs from each game's board.toml. */\nimport type { Drawing } from "../src/drawing.ts";\n\nexport const BOARDS: Drawing[] = ${JSON.stringify(out)};\n`;
}

/** The tab's icon: the curtain, in ink on paper. */
function icon(folder, tokens) {
  const shapes = readFileSync(join(folder, "ui", "curtain.svg"), "utf-8");
  return shapes.replace(/<title>.*?<\/title>/, `<rect width="48" height="48" fill="${tokens.color.day.paper}"/>`);
}

/** The folder of an installed package as seen from another one's folder; null: not installed, so not bundled either. */
function installed(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const at = join(folder, "node_modules", name);
    if (existsSync(join(at, "package.json"))) return at;
    if (folder === dirname(folder)) return null;
  }
}

const about = (at) => JSON.parse(readFileSync(join(at, "package.json"), "utf-8"));

/** Every package that can have gone into the script, with its licence in full. MQTT.js comes as one file with its own packages inside. */
function licences(inputs) {
  const found = new Set();
  const add = (name, from) => {
    const at = installed(name, from);
    if (at === null || found.has(at)) return;
    found.add(at);
    for (const needed of Object.keys(about(at).dependencies ?? {})) if (!needed.startsWith("@types/")) add(needed, at);
  };
  for (const path of inputs) {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
    if (name !== undefined) add(name, HERE);
  }
  return [...found].sort().map((at) => {
    const { name, version, license } = about(at);
    const file = readdirSync(at).find((each) => /^(licen[cs]e|copying)(\.|$|-)/i.test(each));
    const text = file === undefined ? "" : readFileSync(join(at, file), "utf-8").trim();
    return `${name} ${version} (${license ?? "see text"})\n\n${text}\n`;
  });
}

const [tokensFile, marksFolder, fontsFolder, out] = process.argv.slice(2);
const tokens = JSON.parse(readFileSync(tokensFile, "utf-8"));
mkdirSync(MADE, { recursive: true });
writeFileSync(join(MADE, "tokens.css"), css(tokens));
writeFileSync(join(MADE, "marks.ts"), marks(marksFolder, tokens));
writeFileSync(join(MADE, "boards.ts"), boards(JSON.parse(readFileSync(join(dirname(tokensFile), "boards.json"), "utf-8"))));

if (out !== undefined) {
  const { build } = await import("esbuild");
  writeFileSync(join(MADE, "fonts.css"), fonts(fontsFolder));
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const result = await build({
    absWorkingDir: HERE,
    entryPoints: { app: "src/main.tsx", style: "src/style.css" },
    bundle: true,
    minify: true,
    format: "esm",
    target: ["es2020", "safari14.1", "chrome87", "firefox78"],
    entryNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    loader: { ".woff": "file" },
    legalComments: "none",
    outdir: out,
    metafile: true,
    logLevel: "warning",
    logLimit: 5,
  });
  const made = Object.entries(result.metafile.outputs).map(([path, output]) => ({ name: basename(path), entry: output.entryPoint }));
  const named = (entry) => made.find((each) => each.entry === entry).name;
  const drawn = icon(marksFolder, tokens);
  const iconName = `icon-${createHash("sha256").update(drawn).digest("hex").slice(0, 8)}.svg`;
  writeFileSync(join(out, iconName), drawn);
  const page = readFileSync(join(HERE, "src", "index.html"), "utf-8")
    .replace("{style}", named("src/style.css"))
    .replace("{script}", named("src/main.tsx"))
    .replace("{icon}", iconName)
    .replace("{paper}", tokens.color.day.paper)
    .replace("{night}", tokens.color.night.paper);
  if (/\{[a-z]+\}/.test(page)) throw new Error("index.html has a placeholder nobody fills");
  writeFileSync(join(out, "index.html"), page);
  const rule = `\n${"-".repeat(100)}\n\n`;
  const ofl = readFileSync(join(fontsFolder, "OFL.txt"), "utf-8");
  const texts = [...licences(Object.keys(result.metafile.inputs)), `Noto Sans JP, Noto Serif JP (OFL-1.1)\n\n${ofl}`];
  writeFileSync(join(out, "LICENSES.txt"), `What this page is made of, beside Jinmaku itself (MIT).\n${rule}${texts.join(rule)}`);
  for (const name of readdirSync(out)) {
    // The server sends the packed file as it lies here; fonts are packed already.
    const bytes = readFileSync(join(out, name));
    if (bytes.length > 2048 && !name.endsWith(".woff")) writeFileSync(join(out, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
  for (const { name } of made) console.log(`${relative(process.cwd(), join(out, name))}`);
}
