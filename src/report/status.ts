import type { GateEvent, RunEvent } from '../core/events.ts';
import { type AdhocOptions, printNotice } from './adhoc.ts';
import type { Display } from './display.ts';
import { sanitize } from './sanitize.ts';
import { count } from './wording.ts';

/** `kpush status`: a line for each gate on each host, what is wrong below it, and how many passed at the end. */
export function createStatusDisplay(options: AdhocOptions): Display {
  const { out, style } = options;
  const seen = { gates: 0, passed: 0, told: false, heading: '' };
  const lines = (event: RunEvent): string[] => {
    if (event.type === 'play-start') seen.heading = event.name;
    return event.type === 'gate' ? [...heading(), ...gateLines(event)] : [];
  };
  /** Of a wave that has gates. */
  const heading = () => {
    const name = seen.heading;
    seen.heading = '';
    return name === '' ? [] : [style.bold(sanitize(name))];
  };
  const bad = (text: string) => `  ${style.red(style.sign.failed)} ${sanitize(text)}`;
  const gateLines = (event: GateEvent): string[] => {
    seen.gates++;
    if (event.state === 'passed') seen.passed++;
    const where = event.from === event.host ? event.host : `${event.host} (asked from ${event.from})`;
    if (event.state === 'passed') return [`  ${style.green(style.sign.ok)} ${where}  ${sanitize(event.name)}`];
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
      if (!seen.told && seen.gates > 0) out(`\n${seen.passed} of ${count(seen.gates, 'gate')} passed\n`);
      seen.told = true;
    },
  };
}
