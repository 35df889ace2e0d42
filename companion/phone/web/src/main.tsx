/** The page starts here. Here: putting the parts together with the browser's own things. Not here: anything that can be tested without one. */
import { render } from "preact";

import { buzz, isOld, onlyWindow, stayAwake } from "./extras.ts";
import { keep } from "./keep.ts";
import type { Timers } from "./link.ts";
import { Model } from "./model.ts";
import { brokerUrl, dialer } from "./mqtt.ts";
import { type Seat, remembered } from "./seat.ts";
import { App } from "./ui/App.tsx";
import { Screen } from "./ui/Screens.tsx";
import { isLang, preferred, speaker } from "./words.ts";

const timers: Timers = {
  now: () => performance.now(),
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

const kept = keep.get("lang");
const lang = isLang(kept) ? kept : preferred(navigator.languages);
const root = document.getElementById("app") as HTMLElement;

function sit(seat: Seat): void {
  const pseudo = new URLSearchParams(location.search).get("lang") === "xx";
  const claim = onlyWindow(`${seat.game}.${seat.seat}`, () => model.yield());
  const model = new Model(seat, keep, lang, { dial: dialer(seat, brokerUrl(location)), timers, clock: () => Date.now(), isOld, buzz, claim });
  const back = (): void => {
    if (document.visibilityState !== "visible" || model.state.door === "moved") return;
    stayAwake();
    model.resync();
  };
  document.addEventListener("visibilitychange", back);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) back();
  });
  window.addEventListener("online", back);
  // A new code scanned while the page is open arrives as another fragment only.
  window.addEventListener("hashchange", () => location.reload());
  document.addEventListener("pointerdown", () => model.state.door === "open" && document.visibilityState === "visible" && stayAwake(), { once: true });
  render(<App model={model} timers={timers} pseudo={pseudo} />, root);
  model.start();
}

const found = remembered(location.hash, keep);
if ("seat" in found) {
  sit(found.seat);
} else {
  const say = speaker(lang);
  document.documentElement.lang = lang;
  document.body.dataset["door"] = found.fault;
  window.addEventListener("hashchange", () => location.reload());
  render(
    found.fault === "old" ? (
      <Screen id="old" mark="ui/careful" tone="ochre" title={say("oldTitle")} text={say("oldWhy")} button={{ text: say("reload"), press: () => location.reload() }} />
    ) : (
      <Screen id="no-code" mark="ui/tap" tone="indigo" title={say("codeTitle")} text={say(found.fault === "bad" ? "codeBad" : "codeNone")} />
    ),
    root,
  );
}
