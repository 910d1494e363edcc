import { typeError } from '../errors.ts';
import { orderStrings } from '../python/compare.ts';

/** distutils' LooseVersion: runs of digits as numbers, runs of small letters as text. Throws when the two cannot be ordered. */
export function compareLoose(a: string, b: string): number {
  return compareParts(looseParts(a), looseParts(b));
}

type Part = number | string;

function looseParts(version: string): Part[] {
  const parts = version.split(/(\d+|[a-z]+|\.)/).filter((part) => part !== '' && part !== '.');
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function compareParts(a: Part[], b: Part[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = comparePart(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function comparePart(a: Part, b: Part): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return orderStrings(a, b);
  throw typeError("Version comparison failed: '<' not supported between instances of 'int' and 'str'");
}
