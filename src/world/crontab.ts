import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { readKnown } from './read.ts';

/** A user's own table of jobs; '' when there is none. */
export interface CrontabFact {
  /** Whether the host has a crontab command at all. */
  command: boolean;
  text: string;
}

/** `user`: '' is whoever asks. */
export function crontab(world: WorldView, user: string): CrontabFact {
  return readKnown<CrontabFact>(world, 'crontab', user);
}

export function crontabKey(user: string): FactKey {
  return { family: 'crontab', id: user };
}

export const crontabFamily: FactFamily<CrontabFact> = {
  name: 'crontab',
  guarded: true,
  script: (keys) => keys.map(({ id }) => call(id)).join('\n'),
  parse(record) {
    const text = utf8(record);
    if (text === 'n') return { state: 'known', raw: record, value: { command: false, text: '' } };
    if (text[0] !== 't') throw new Error(`unreadable crontab: ${text.slice(0, 80)}`);
    return { state: 'known', raw: record, value: { command: true, text: text.slice(1) } };
  },
  differs: (predicted, actual) => (predicted.text === actual.text ? [] : ['the table of jobs is another']),
};

/** `crontab -l` fails where there is no table. */
function call(user: string): string {
  const of = user === '' ? '' : ` -u ${quote(user)}`;
  return `if command -v crontab >/dev/null 2>&1; then printf t; crontab${of} -l 2>/dev/null; else printf n; fi; kp_sep`;
}
