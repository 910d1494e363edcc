import type { RunEvent } from '../core/events.ts';

/** What a secret becomes wherever it would be shown. */
export const veil = '***';

/** Texts shorter than this would veil half of what is shown, and hide nothing. */
const shortest = 4;

export interface Redactor {
  /** From now on the text, its lines and its usual encodings are veiled. */
  add(secret: string): void;
  text(text: string): string;
  /** The event with every string in it veiled. Live output is held back while it may be the beginning of a secret. */
  events(event: RunEvent): RunEvent[];
}

/** A veil over known secrets. It is the last line of defence: secrets should not come this far. */
export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  let pattern: RegExp | undefined;
  const add = (secret: string) => {
    for (const form of formsOf(secret)) secrets.add(form);
    const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
    pattern = longestFirst.length ? new RegExp(longestFirst.map(literal).join('|'), 'g') : undefined;
  };
  const text = (value: string) => (pattern ? value.replace(pattern, veil) : value);
  const held = heldOutput(secrets, text);
  return {
    add,
    text,
    events: (event) => (pattern ? held(event).map((one) => deep(one, text) as RunEvent) : [event]),
  };
}

function formsOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  const plain = [secret, secret.trim(), ...(lines.length > 1 ? lines.filter((line) => line.length >= 8) : [])];
  const encoded = [
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ];
  return [...plain, ...encoded].filter((form) => form.length >= shortest);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function deep(value: unknown, text: (value: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((one) => deep(one, text));
  if (value instanceof Error || value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [text(key), deep(one, text)]));
}

/**
 * Output comes in pieces cut anywhere: the end of a piece that begins a secret waits for the next piece, or for the
 * end of its step.
 */
function heldOutput(secrets: ReadonlySet<string>, text: (value: string) => string) {
  const tails = new Map<string, Extract<RunEvent, { type: 'step-output' }>>();
  return (event: RunEvent): RunEvent[] => {
    if (event.type === 'step-end') return [...release(tails, `${event.host}\n${event.key}\n`), event];
    if (event.type === 'run-end') return [...[...tails.values()].splice(0), event];
    if (event.type !== 'step-output') return [event];
    const id = `${event.host}\n${event.key}\n${event.stream}`;
    const whole = text((tails.get(id)?.text ?? '') + event.text);
    const keep = beginning(whole, secrets);
    tails.delete(id);
    if (keep > 0) tails.set(id, { ...event, text: whole.slice(whole.length - keep) });
    const ready = whole.slice(0, whole.length - keep);
    return ready === '' ? [] : [{ ...event, text: ready }];
  };
}

function release(tails: Map<string, RunEvent>, prefix: string): RunEvent[] {
  const found = [...tails].filter(([id]) => id.startsWith(prefix));
  for (const [id] of found) tails.delete(id);
  return found.map(([, event]) => event);
}

/** Length of the longest end of `text` that some secret begins with. */
function beginning(text: string, secrets: ReadonlySet<string>): number {
  let longest = 0;
  for (const secret of secrets)
    for (let n = Math.min(secret.length - 1, text.length); n > longest; n--)
      if (text.endsWith(secret.slice(0, n))) longest = n;
  return longest;
}
