import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';

/** Where a command is found, '' when the host has none; undefined: known after an earlier task. */
export function which(world: WorldView, command: string): string | undefined {
  const answer = world.read('which', command);
  return answer.state === 'known' ? (answer.value as string) : undefined;
}

export function whichKey(command: string): FactKey {
  return { family: 'which', id: command };
}

export const whichFamily: FactFamily<string> = {
  name: 'which',
  guarded: false,
  script: (keys) => keys.map((key) => `command -v ${quote(key.id)} 2>/dev/null; kp_sep`).join('\n'),
  parse: (record) => ({ state: 'known', value: utf8(record).trim(), raw: record }),
  absent: (value) => value === '',
};
