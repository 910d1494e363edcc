import type { GateEvent, RunEvent } from '../core/events.ts';
import { type AdhocOptions, printNotice } from './adhoc.ts';
import type { Display } from './display.ts';
import { sanitize } from './sanitize.ts';
import { count } from './wording.ts';

/** `kpush status`: a line for each gate on each host, what is wrong below it, and how many passed at the end. */
export function createStatusDisplay(options: AdhocOptions): Display {
  const { out, style } = options;
  const seen = { told: false, heading: '' };
  /** A gate of several batches is judged again for the hosts of those before: the same answer is told once. */
  const answers = new Map<string, GateEvent['state']>();
  const isNew = ({ play, name, host, from, state }: GateEvent) => {
    const key = JSON.stringify([play, name, host, from]);
    const known = answers.get(key);
    answers.set(key, state);
    return known !== state;
  };
  const lines = (event: RunEvent): string[] => {
    if (event.type === 'play-start') seen.heading = event.name;
    return event.type === 'gate' && isNew(event) ? [...heading(), ...gateLines(event)] : [];
  };
  /** Of a wave that has gates. */
  const heading = () => {
    const name = seen.heading;
    seen.heading = '';
    return name === '' ? [] : [style.bold(sanitize(name))];
  };
  const passed = (text: string) => `  ${style.green(style.sign.ok)} ${sanitize(text)}`;
  const bad = (text: string) => `  ${style.red(style.sign.failed)} ${sanitize(text)}`;
  const gateLines = (event: GateEvent): string[] => {
    const where = event.from === event.host ? event.host : `${event.host} (asked from ${event.from})`;
    if (event.state === 'passed') return [passed(`${where}  ${event.name}${event.reason ? `: ${event.reason}` : ''}`)];
    const evidence = (event.evidence ?? '').split('\n').filter(Boolean);
    const shown = evidence.map((line) => `      ${style.dim(sanitize(line))}`);
    return [bad(`${where}  ${event.name}: ${event.reason ?? ''}`), ...shown];
  };
  return {
    add: (event) => {
      for (const line of lines(event)) out(`${line}\n`);
      printNotice(event, options);
    },
    end: () => {
      const passed = [...answers.values()].filter((state) => state === 'passed').length;
      if (!seen.told && answers.size > 0) out(`\n${passed} of ${count(answers.size, 'gate')} passed\n`);
      seen.told = true;
    },
  };
}
