/** Whole screens for when there is nothing to play: each says what happened and the one thing to do. */
import { Mark } from "./Mark.tsx";

interface Props {
  mark: string;
  /** Colour of the state: indigo (waits), plum (lost, refused), ochre (careful). */
  tone: "indigo" | "plum" | "ochre";
  title: string;
  text: string;
  id: string;
  button?: { text: string; press: () => void };
}

export function Screen({ mark, tone, title, text, id, button }: Props) {
  return (
    <main class={`screen ${tone}`} data-screen={id}>
      <Mark name={mark} size={4.5} />
      <h1 class="title">{title}</h1>
      <p>{text}</p>
      {button !== undefined && (
        <button type="button" class="opt main" onClick={button.press}>
          {button.text}
        </button>
      )}
    </main>
  );
}
