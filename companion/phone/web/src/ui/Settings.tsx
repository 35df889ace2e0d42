/** What belongs to this phone and not to the game: language, light, text size, buzz. */
import { type Model, SCALES, type State, type Theme } from "../model.ts";
import { LANGUAGES, type Say } from "../words.ts";
import { useDesk } from "./desk.ts";
import { pure } from "./pure.ts";

interface Choice {
  value: string | number | boolean;
  text: string;
  lang?: string;
}

export function Settings() {
  const { model, state, say } = useDesk();
  const { lang, theme, scale, buzz } = state;
  return <Rows model={model} say={say} lang={lang} theme={theme} scale={scale} buzz={buzz} />;
}

const Rows = pure(({ model, say, lang, theme, scale, buzz }: { model: Model; say: Say } & Pick<State, "lang" | "theme" | "scale" | "buzz">) => {
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
      <Row name="lang" title={say("language")} now={lang} choices={LANGUAGES.map((each) => ({ value: each.lang, text: each.name, lang: each.lang }))} set={(value) => model.speak(value as "en" | "ru")} />
      <Row name="theme" title={say("theme")} now={theme} choices={themes} set={(value) => model.setTheme(value as Theme)} />
      <Row name="scale" title={say("size")} now={scale} choices={SCALES.map((value) => ({ value, text: `${value} %` }))} set={(value) => model.setScale(value as number)} />
      {"vibrate" in navigator && <Row name="buzz" title={say("buzz")} now={buzz} choices={onOff} set={(value) => model.setBuzz(value === true)} />}
    </section>
  );
});

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
