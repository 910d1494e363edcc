import { typeError } from '../errors.ts';
import { fixed } from '../python/floats.ts';
import { round } from '../python/numbers.ts';

const sizes: [string, number][] = [...'YZEPTGMK'].map((letter, i) => [letter, 2 ** (80 - 10 * i)]);
const ranges = new Map<string, number>([...sizes, ['B', 1]]);

/** Ansible's text of a size: `1.00 KB`, `12.00 Bytes`, `3.00 Mb`. */
export function humanReadable(size: number, bits: boolean, unit: string | undefined): string {
  const base = bits ? 'bits' : 'Bytes';
  const fits = ([letter, limit]: [string, number]) =>
    unit === undefined ? size >= limit : unit.toUpperCase() === letter;
  const [letter, limit] = sizes.find(fits) ?? ['', 1];
  const shown = (size < 0 ? '-' : '') + fixed(Math.abs(size / limit), 2);
  return `${shown} ${limit === 1 ? base : letter + base[0]}`;
}

/** The bytes (or bits) of a text such as `1.5 GB`. Throws when the unit is none, or of the other kind. */
export function humanToBytes(source: string, defaultUnit: string | undefined, bits: boolean): number {
  const [, digits = '', written] = /^\s*(\d*\.?\d*)\s*([A-Za-z]+)?/.exec(source) ?? [];
  if (!/\d/.test(digits)) throw typeError(`human_to_bytes() can't interpret following string: ${source}`);
  const unit = written ?? defaultUnit;
  if (!unit) return round(Number(digits), 0);
  const limit = ranges.get(unit[0]!.toUpperCase());
  if (limit === undefined || !isOfKind(unit, bits)) {
    throw typeError(`human_to_bytes() can't interpret following string: ${source} (unit ${unit})`);
  }
  return round(Number(digits) * limit, 0);
}

function isOfKind(unit: string, bits: boolean): boolean {
  return unit.length === 1 || unit.toLowerCase().includes(bits ? 'bit' : 'byte') || unit[1] === (bits ? 'b' : 'B');
}
