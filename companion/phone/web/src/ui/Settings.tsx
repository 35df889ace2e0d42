/** What belongs to this phone and not to the game: language, light, text size, buzz. */
import { SCALES, type Theme } from "../model.ts";
import { LANGUAGES } from "../words.ts";
import { useDesk } from "./desk.ts";

interface Choice {
  value: string | number | boolean;
  text: string;
  lang?: string;
}

export function Settings() {
  const { model, state, say } = useDesk();
  const themes: Choice[] = [
    { value: "auto", text: say("themeAuto") },
    { value: "day", text: say("themeDay") },
    { value: "night", text: say("themeNight") },
  ];
  const onOff: Choice[] = [
    { value: true, text: say("on") },
    { value: false, text: say("off") },
  ];
  return (
    <section class="group settings" data-id="settings">
      <h2 class="group-title">{say("settings")}</h2>
      <Row name="lang" title={say("language")} now={state.lang} choices={LANGUAGES.map(({ lang, name }) => ({ value: lang, text: name, lang }))} set={(value) => model.speak(value as "en" | "ru")} />
      <Row name="theme" title={say("theme")} now={state.theme} choices={themes} set={(value) => model.setTheme(value as Theme)} />
      <Row name="scale" title={say("size")} now={state.scale} choices={SCALES.map((value) => ({ value, text: `${value} %` }))} set={(value) => model.setScale(value as number)} />
      {"vibrate" in navigator && <Row name="buzz" title={say("buzz")} now={state.buzz} choices={onOff} set={(value) => model.setBuzz(value === true)} />}
    </section>
  );
}

function Row({ name, title, now, choices, set }: { name: string; title: string; now: Choice["value"]; choices: Choice[]; set: (value: Choice["value"]) => void }) {
  return (
    <div class="setting" role="group" aria-label={title}>
      <span class="label">{title}</span>
      <div class="segments">
        {choices.map(({ value, text, lang }) => (
          <button key={String(value)} type="button" lang={lang} data-set={`${name}=${String(value)}`} aria-pressed={value === now} onClick={() => set(value)}>
            {text}
          </button>
        ))}
      </div>
    </div>
  );
}
