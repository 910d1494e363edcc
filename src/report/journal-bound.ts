import type { RunEvent, TaskEvent } from '../core/events.ts';
import { bytes } from './wording.ts';

/** Characters kept of a step's output: so many from its beginning, so many from its end. */
const head = 64 * 1024;
const tail = 16 * 1024;
/** Characters of one event, above which a task's result and long texts are left out. */
const largest = 512 * 1024;

/** Keeps a journal in bounds whatever hosts print: the beginning and the end of each output, and what lies between counted. */
export function createBound(): (event: RunEvent) => RunEvent[] {
  const outputs = new Map<string, Kept>();
  return (event) => {
    if (event.type === 'task') return [boundTask(event)];
    if (event.type === 'step-output') return boundOutput(outputs, event);
    if (event.type === 'step-end') return [...ends(outputs, event.host, event.key), event];
    return [event];
  };
}

type Output = Extract<RunEvent, { type: 'step-output' }>;

interface Kept {
  size: number;
  tail: string;
  last: Output;
}

function boundOutput(outputs: Map<string, Kept>, event: Output): RunEvent[] {
  const id = `${event.host}\n${event.key}\n${event.stream}`;
  const kept = outputs.get(id) ?? { size: 0, tail: '', last: event };
  outputs.set(id, kept);
  const room = Math.max(0, head - kept.size);
  kept.size += event.text.length;
  kept.tail = (kept.tail + event.text.slice(room)).slice(-tail);
  kept.last = event;
  return room > 0 ? [{ ...event, text: event.text.slice(0, room) }] : [];
}

function ends(outputs: Map<string, Kept>, host: string, key: string): RunEvent[] {
  const found = [...outputs].filter(([id]) => id.startsWith(`${host}\n${key}\n`));
  return found.flatMap(([id, { size, tail: end, last }]) => {
    outputs.delete(id);
    const left = size - head - end.length;
    const gap = left > 0 ? `\n[${bytes(left)} not kept]\n` : '';
    return end === '' ? [] : [{ ...last, text: `${gap}${end}` }];
  });
}

function boundTask(event: TaskEvent & { time: number }): RunEvent {
  if (JSON.stringify(event).length <= largest) return event;
  const note = 'left out of the journal: too large';
  const items = event.items?.map((item) => ({ ...item, result: note }));
  const steps = event.steps.map(({ diff, ...step }) => ({ ...step, diff: diff?.filter((one) => one.kind !== 'text') }));
  return { ...event, result: note, items, steps, failure: boundFailure(event.failure) };
}

function boundFailure(failure: TaskEvent['failure']): TaskEvent['failure'] {
  if (!failure) return undefined;
  return { ...failure, stdout: failure.stdout?.slice(-tail), stderr: failure.stderr?.slice(-tail) };
}
