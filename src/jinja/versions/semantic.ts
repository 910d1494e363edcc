import { compare, parse } from 'semver';
import { typeError } from '../errors.ts';

/** Semantic versions; three numbers are needed. */
export function compareSemantic(a: string, b: string): number {
  const [x, y] = [a, b].map((version) => (/^\d/.test(version) ? parse(version) : null));
  if (!x || !y) throw typeError(`Version comparison failed: invalid semantic version '${x ? b : a}'`);
  return compare(x, y);
}
