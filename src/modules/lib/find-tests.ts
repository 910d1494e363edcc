import { TaskFailure } from '../../core/result.ts';
import { wildcards } from '../../core/wildcards.ts';
import { regex } from './regex.ts';

export interface NamePatterns {
  patterns?: readonly string[] | undefined;
  excludes?: readonly string[] | undefined;
  use_regex: boolean;
}

/** Whether a name fits a pattern and no exclude. */
export function namePasses(name: string, { patterns, excludes, use_regex: isRegex }: NamePatterns): boolean {
  const fits = (pattern: string) =>
    isRegex ? regex(pattern, 'patterns').match(name) !== undefined : wildcards(pattern, { classes: '!' }).test(name);
  if (patterns?.length && !patterns.some(fits)) return false;
  return !excludes?.some(fits);
}

/** `age` seconds against a parameter such as `2d` (older) or `-2d` (newer). */
export function agePasses(wanted: string | undefined, age: number): boolean {
  if (wanted === undefined) return true;
  const limit = measure(wanted, 'age', { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 });
  return limit >= 0 ? age >= limit : age <= -limit;
}

/** A size in bytes against a parameter such as `10m` (at least) or `-10m` (at most). */
export function sizePasses(wanted: string | undefined, size: number): boolean {
  if (wanted === undefined) return true;
  const limit = measure(wanted, 'size', { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 });
  return limit >= 0 ? size >= limit : size <= -limit;
}

function measure(text: string, param: string, units: Record<string, number>): number {
  const found = /^(-?\d+)([a-z])?$/.exec(text.toLowerCase());
  const unit = found?.[2] === undefined ? 1 : units[found[2]];
  if (!found || unit === undefined) throw new TaskFailure(`failed to process ${param}: ${text}`);
  return Number(found[1]) * unit;
}
