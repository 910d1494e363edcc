import type { ChangeTrip, RemoteStep } from '../core/session.ts';
import { changeLibrary } from './change.sh.ts';
import { finishLibrary, finishStepLibrary } from './finish.sh.ts';
import { lockLibrary } from './lock.sh.ts';
import { ownFunction } from './own.sh.ts';
import { putLibrary } from './put.sh.ts';
import { settleLibrary } from './settle.sh.ts';

interface Part {
  name: string;
  text: string;
  isUsed(step: RemoteStep): boolean;
}

/** What a change of some kind alone needs is sent with the first of that kind: a third of all, for a command. */
const parts: readonly Part[] = [
  { name: 'change', text: ownFunction + lockLibrary + changeLibrary + finishLibrary, isUsed: () => true },
  { name: 'settle', text: settleLibrary, isUsed: startsUnits },
  { name: 'finish', text: finishStepLibrary, isUsed: ({ onCut }) => onCut === 'finish' },
  {
    name: 'put',
    text: putLibrary,
    isUsed: ({ inShell, script }) => inShell === true && script.includes('kp_new_file'),
  },
];

/** Whether the step writes down what it started, to be looked at again at the end of its trip. */
export function startsUnits({ script }: RemoteStep): boolean {
  return script.includes('kp_units');
}

/** The functions that a trip calls and its shell does not have yet, and the names of all that it calls. */
export function changeLibraries({ steps }: ChangeTrip, has: ReadonlySet<string>): { text: string; names: string[] } {
  const used = parts.filter((part) => part.name === 'change' || steps.some(part.isUsed));
  const missing = used.filter(({ name }) => !has.has(name));
  return { text: missing.map(({ text }) => text).join(''), names: used.map(({ name }) => name) };
}
