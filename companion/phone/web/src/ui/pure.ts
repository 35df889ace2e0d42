/** A part that is drawn again only when what it is given is another. Here: that wrapper. What it uses of the desk must not change by itself. */
import { Component, type ComponentChild, type FunctionComponent } from "preact";

export function pure<P extends object>(draw: (props: P) => ComponentChild): FunctionComponent<P> {
  class Pure extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const now = this.props as Record<string, unknown>;
      const then = next as Record<string, unknown>;
      return Object.keys(then).some((name) => then[name] !== now[name]) || Object.keys(now).length !== Object.keys(then).length;
    }
    override render(): ComponentChild {
      return draw(this.props as P);
    }
  }
  return Pure as unknown as FunctionComponent<P>;
}
