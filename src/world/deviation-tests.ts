import { isSymbolic, resolveMode } from '../core/mode.ts';
import { quote } from '../core/quote.ts';
import type { Uniform } from './deviations.ts';

/**
 * `find` tests, one for each wanted thing, that hold for what is not so. They are shell words; an owner the host does
 * not know is nobody's, so then everything deviates (`find -user` would refuse the name).
 */
export function deviationTests(wanted: Uniform): string[] {
  const tests: string[] = [];
  if (wanted.owner !== undefined) tests.push(ownerTest('-user', wanted.owner, 'passwd'));
  if (wanted.group !== undefined) tests.push(ownerTest('-group', wanted.group, 'group'));
  if (wanted.mode !== undefined) tests.push(modeTest(wanted.mode));
  return tests;
}

/** The test for a mode alone, for finding what chmod has to act on; of modes that copy bits (`g=u`) everything. */
export function modeTest(mode: number | string): string {
  if (!isSymbolic(mode)) {
    const octal = resolveMode(mode, { current: 0, directory: false }).toString(8).padStart(4, '0');
    return `'(' ! -type l ! -perm ${octal} ')'`;
  }
  if (/[-+=][ugo](?=[-+=,]|$)/.test(String(mode))) return '! -type l';
  return `'(' -type d '(' ${kindTest(mode, true)} ')' -o ! -type d ! -type l '(' ${kindTest(mode, false)} ')' ')'`;
}

export function ownerTest(test: '-user' | '-group', name: string, database: 'passwd' | 'group'): string {
  if (/^\d+$/.test(name)) return `! ${test} ${name}`;
  const known = `getent ${database} ${quote(name)} >/dev/null 2>&1 || grep -q ${quote(`^${name}:`)} /etc/${database}`;
  return `! $(if ${known}; then echo ${test}; else echo -name; fi) ${quote(name)}`;
}

const anyX = "'(' -perm -100 -o -perm -010 -o -perm -001 ')'";

/** `X` makes what is wanted depend on whether any execute bit is set. */
function kindTest(mode: string | number, directory: boolean): string {
  const plain = maskTest(mode, directory, 0o7666);
  const executable = maskTest(mode, directory, 0o7777);
  return plain === executable ? plain : `'(' ${anyX} '(' ${executable} ')' -o ! ${anyX} '(' ${plain} ')' ')'`;
}

/** Bits that the mode always sets must be there and those it always clears must not, else the entry deviates. */
function maskTest(mode: string | number, directory: boolean, range: number): string {
  const from = (current: number) => resolveMode(mode, { current, directory });
  const executable = range === 0o7777 ? 0o111 : 0;
  const set = bits().filter((bit) => bit & from(executable & ~bit));
  const clear = bits().filter((bit) => !(bit & from(range)));
  const tests = [...set.map((bit) => `! -perm -${octal(bit)}`), ...clear.map((bit) => `-perm -${octal(bit)}`)];
  return tests.join(' -o ') || "! -name '*'";
}

function bits(): number[] {
  return Array.from({ length: 12 }, (_, i) => 1 << i);
}

function octal(bit: number): string {
  return bit.toString(8).padStart(4, '0');
}
