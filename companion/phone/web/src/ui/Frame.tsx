/** Small parts of every face: the line's state, the hem of the cloth, the seat's name. */
import type { Names } from "../choices.ts";
import type { Status } from "../link.ts";
import type { Word } from "../words.ts";
import { Mark } from "./Mark.tsx";
import { useDesk } from "./desk.ts";

const LINE: Record<Status, { word: Word; mark: string; tone: string }> = {
  online: { word: "online", mark: "ui/ok", tone: "pine" },
  catching: { word: "catching", mark: "ui/wait", tone: "indigo" },
  offline: { word: "offline", mark: "ui/wifi", tone: "plum" },
};

/** Icon, word and colour, always all three. */
export function Pill() {
  const { state, say } = useDesk();
  const { word, mark, tone } = LINE[state.status];
  return (
    <span class={`pill ${tone}`} role="status" data-line={state.status}>
      <Mark name={mark} size={1.125} />
      {say(word)}
    </span>
  );
}

const FOLDS = 5;

/** The lower edge of the cloth, in the clan's dye. */
export function Hem() {
  const width = 100 / FOLDS;
  const curves = Array.from({ length: FOLDS }, (_, index) => `Q${width * (index + 0.5)},17 ${width * (index + 1)},0`).join("");
  return (
    <svg class="hem" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
      <path d={`M0,0${curves}V-1H0Z`} />
    </svg>
  );
}

/** As the view calls this seat; its id where the view does not know it. */
export function seatName(names: Names, seat: string): string {
  return names.place(seat) || seat.charAt(0).toUpperCase() + seat.slice(1);
}
