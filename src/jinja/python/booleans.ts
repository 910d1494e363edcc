import { isString, type Value } from '../values.ts';
import { equals } from './compare.ts';
import { rawText } from './text.ts';

const yes = ['y', 'yes', 'on', '1', 'true', 't'];
const no = ['n', 'no', 'off', '0', 'false', 'f'];

/** The boolean that a word, 0 or 1 stands for in Ansible's parameters; undefined for everything else. */
export function truthWord(value: Value): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (!isString(value)) return equals(value, 1) ? true : equals(value, 0) ? false : undefined;
  const word = rawText(value).toLowerCase().trim();
  return yes.includes(word) ? true : no.includes(word) ? false : undefined;
}
