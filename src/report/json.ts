import type { RunEvent } from '../core/events.ts';
import type { Display } from './display.ts';
import type { Summary } from './fold.ts';
import type { PlanModel } from './plan-fold.ts';

/** Raised when a consumer of `--output json` would have to change. */
export const schemaVersion = 1;

/** Every event as one JSON object a line; the first one also names the schema. */
export function createJsonLines(out: (text: string) => void): Display {
  return {
    add: (event: RunEvent) => {
      const { time, ...body } = event;
      const head = event.type === 'run-start' ? { schema: schemaVersion } : {};
      out(`${JSON.stringify({ time, ...body, ...head })}\n`);
    },
    end: () => {},
  };
}

/** A plan as one JSON document. */
export function planDocument(model: PlanModel, summary: Summary): string {
  const { ok, class: word, exit } = summary;
  return `${JSON.stringify({ schema: schemaVersion, kind: 'plan', ok, class: word, exit, ...model }, null, 2)}\n`;
}
