import type { RunEvent } from '../core/events.ts';

/** What shows a run to a person or a program. */
export interface Display {
  add(event: RunEvent): void;
  /** Shows nothing more, leaves the terminal as it was. May be called twice. */
  end(): void | Promise<void>;
  /** Lets go of the terminal while something is asked. */
  pause?(): void;
}
