import { CoerceError } from './coerce-error.ts';

/** What a mode is applied to: symbolic modes act on `current`; `umask` masks clauses that name nobody (`+x`). */
export interface ModeTarget {
  /** Permission bits now, or those a new file would get. */
  current: number;
  directory: boolean;
  umask?: number;
}

/** Permission bits that a parameter asks for: a number, octal text or chmod's symbolic form. Throws CoerceError. */
export function resolveMode(mode: number | string, target: ModeTarget): number {
  const octal = octalOf(mode);
  return octal ?? clausesOf(String(mode)).reduce((bits, clause) => applied(bits, clause, target), target.current);
}

/** Whether the mode depends on what the file has now. */
export function isSymbolic(mode: number | string): boolean {
  return octalOf(mode) === undefined;
}

/** As Ansible prints modes: `0644`, `02755`. */
export function modeText(bits: number): string {
  return `0${bits.toString(8).padStart(3, '0')}`;
}

/** Four octal digits, as its stat and find print them: `0644`, `2755`. */
export function fourDigits(bits: number): string {
  return bits.toString(8).padStart(4, '0');
}

/** The mode when it can be meant; throws CoerceError when it is a decimal slip (644) or no mode at all. */
export function checkMode(mode: number | string, source?: string): number | string {
  if (typeof mode === 'number' && isDecimalSlip(mode, source)) throw decimal(mode, source ?? String(mode));
  if (mode !== 'preserve' && octalOf(mode) === undefined) clausesOf(String(mode));
  return mode;
}

function octalOf(mode: number | string): number | undefined {
  if (typeof mode === 'string' && !/^(?:0o?)?[0-7]+$/i.test(mode)) return undefined;
  const bits = typeof mode === 'number' ? mode : Number.parseInt(mode.replace(/^0o/i, ''), 8);
  if (bits < 0 || bits > 0o7777) throw new CoerceError(`mode ${fourDigits(bits)} is out of range`, "write '0644'");
  return bits;
}

/**
 * YAML reads 0644 as the number 420 and 644 as 644, which is 01204. With the source at hand that is plain to see;
 * without it (the value came from a variable) a number is a slip when its decimal digits make a sane mode (owner may
 * read, may all that group may, group all that others may) and its octal digits do not.
 */
function isDecimalSlip(mode: number, source: string | undefined): boolean {
  if (source !== undefined) return /^[1-9]\d*$/.test(source);
  return isSane(String(mode)) && !isSane(mode.toString(8));
}

function isSane(digits: string): boolean {
  if (!/^[0-7]{1,4}$/.test(digits)) return false;
  const [owner, group, other] = [...digits.padStart(3, '0').slice(-3)].map(Number) as [number, number, number];
  return (owner & 4) === 4 && (owner | group) === owner && (group | other) === group;
}

function decimal(mode: number, source: string): CoerceError {
  const meant = mode > 0o7777 ? 'too large a number' : `0${mode.toString(8)}`;
  return new CoerceError(`mode ${source} is a decimal number and means ${meant}`, `write '${source.padStart(4, '0')}'`);
}

interface Clause {
  who: string;
  actions: { operator: string; permissions: string }[];
}

function clausesOf(text: string): Clause[] {
  return text.split(',').map((part) => {
    const found = /^([ugoa]*)((?:[-+=](?:[ugo]|[rwxXst]*))+)$/.exec(part);
    if (!found) throw new CoerceError(`bad symbolic permission for mode: ${text}`, "write '0644' or u=rw,g=r,o=r");
    const actions = [...found[2]!.matchAll(/([-+=])([ugo]|[rwxXst]*)/g)];
    return {
      who: found[1]!,
      actions: actions.map(([, operator, permissions]) => ({ operator: operator!, permissions: permissions! })),
    };
  });
}

/** As GNU chmod: without "who", `+` and `-` spare the umask's bits but `=` clears everything. */
function applied(bits: number, clause: Clause, target: ModeTarget): number {
  const affected = maskOf(clause.who);
  const limit = clause.who === '' ? ~(target.umask ?? 0o022) & 0o7777 : affected;
  return clause.actions.reduce((mode, { operator, permissions }) => {
    const value = permissionBits(permissions, mode, target) & limit;
    if (operator === '+') return mode | value;
    if (operator === '-') return mode & ~value;
    return (mode & (~affected | kept(value, target))) | value;
  }, bits);
}

/** `=` leaves setuid and setgid of a directory alone unless it names them. */
function kept(value: number, target: ModeTarget): number {
  return target.directory ? 0o6000 & ~value : 0;
}

function maskOf(who: string): number {
  if (who === '' || who.includes('a')) return 0o7777;
  return [...who].reduce((mask, letter) => mask | whoMasks[letter]!, 0);
}

const whoMasks: Record<string, number> = { u: 0o4700, g: 0o2070, o: 0o1007 };
const letterBits: Record<string, number> = { r: 0o444, w: 0o222, x: 0o111, s: 0o6000, t: 0o1000 };

function permissionBits(permissions: string, mode: number, target: ModeTarget): number {
  if (/^[ugo]$/.test(permissions)) {
    const shift = { u: 6, g: 3, o: 0 }[permissions]!;
    return ((mode >> shift) & 7) * 0o111;
  }
  return [...permissions].reduce((bits, letter) => bits | letterOf(letter, mode, target), 0);
}

function letterOf(letter: string, mode: number, target: ModeTarget): number {
  if (letter !== 'X') return letterBits[letter]!;
  return target.directory || mode & 0o111 ? 0o111 : 0;
}
