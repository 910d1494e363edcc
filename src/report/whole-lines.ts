import type { RunEvent } from '../core/events.ts';

type Output = Extract<RunEvent, { type: 'step-output' }>;

/** Longest piece of an unfinished line that is held back. */
const longest = 8192;

/**
 * Output comes in pieces cut anywhere; whoever prints lines wants whole ones. The rest of an unfinished line comes
 * with the end of its step.
 */
export function wholeLines(): (event: RunEvent) => RunEvent[] {
  const rests = new Map<string, Output>();
  return (event) => {
    if (event.type === 'step-output') return join(rests, event);
    if (event.type !== 'step-end') return [event];
    const prefix = `${event.host}\n${event.key}\n`;
    const ended = [...rests].filter(([id]) => id.startsWith(prefix));
    for (const [id] of ended) rests.delete(id);
    return [...ended.map(([, rest]) => rest), event];
  };
}

function join(rests: Map<string, Output>, event: Output): RunEvent[] {
  const id = `${event.host}\n${event.key}\n${event.stream}`;
  const text = `${rests.get(id)?.text ?? ''}${event.text}`;
  const end = text.length > longest && !text.includes('\n') ? text.length : text.lastIndexOf('\n') + 1;
  rests.delete(id);
  if (end < text.length) rests.set(id, { ...event, text: text.slice(end) });
  return end > 0 ? [{ ...event, text: text.slice(0, end) }] : [];
}
