import { typeError } from '../errors.ts';

interface Strict {
  numbers: number[];
  pre?: [string, number];
}

/** distutils' StrictVersion: `1.2`, `1.2.3`, each with `a4` or `b4` behind it. */
export function compareStrict(a: string, b: string): number {
  const [x, y] = [parse(a), parse(b)];
  const at = x.numbers.findIndex((number, i) => number !== y.numbers[i]);
  if (at >= 0) return x.numbers[at]! - y.numbers[at]!;
  if (!x.pre || !y.pre) return Number(!x.pre) - Number(!y.pre);
  return x.pre[0] === y.pre[0] ? x.pre[1] - y.pre[1] : x.pre[0] < y.pre[0] ? -1 : 1;
}

function parse(version: string): Strict {
  const found = /^(\d+)\.(\d+)(?:\.(\d+))?(?:([ab])(\d+))?$/.exec(version);
  if (!found) throw typeError(`Version comparison failed: invalid version number '${version}'`);
  const numbers = [found[1], found[2], found[3] ?? '0'].map(Number);
  return found[4] ? { numbers, pre: [found[4], Number(found[5])] } : { numbers };
}
