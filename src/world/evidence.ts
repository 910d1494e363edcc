import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import { quote } from '../core/quote.ts';
import { fullName } from './unit.ts';

/** What a person wants to see of a unit that is not well: its status and its last journal lines, as text. */
export function evidenceKey(unit: string, lines = 10): FactKey {
  return { family: 'evidence', id: JSON.stringify({ unit: fullName(unit), lines }) };
}

export const evidenceFamily: FactFamily<string> = {
  name: 'evidence',
  guarded: false,
  script: (keys) => keys.map((key) => call(JSON.parse(key.id) as { unit: string; lines: number })).join('\n'),
  parse: (record) => ({ state: 'known', raw: record, value: utf8(record).trimEnd() }),
};

function call({ unit, lines }: { unit: string; lines: number }): string {
  const name = quote(unit);
  return `{ systemctl status --no-pager --full --lines=0 -- ${name} 2>&1; journalctl --no-pager --quiet -o short-iso -n ${lines} -u ${name} 2>&1; } | head -c 16384; kp_sep`;
}
