import { typeError } from '../errors.ts';

const pattern =
  /^\s*v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(a|b|c|rc|alpha|beta|pre|preview)[-_.]?(\d+)?)?(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d+)?)?(?:[-_.]?(dev)[-_.]?(\d+)?)?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?\s*$/i;

/** Python's own versions (PEP 440). */
export function comparePep440(a: string, b: string): number {
  const [x, y] = [key(a), key(b)];
  for (let i = 0; i < Math.max(x.length, y.length); i++) {
    const order = compareKeys(x[i] ?? -Infinity, y[i] ?? -Infinity);
    if (order !== 0) return order;
  }
  return 0;
}

type Key = number | string | Key[];

function compareKeys(a: Key, b: Key): number {
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (typeof a === 'number' && typeof b === 'number') return a === b ? 0 : a < b ? -1 : 1;
  if (typeof a === 'string' && typeof b === 'string') return a === b ? 0 : a < b ? -1 : 1;
  return typeof a === 'string' ? -1 : 1; // in a local version, numbers come after words
}

function compareLists(a: Key[], b: Key[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compareKeys(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Epoch, release without trailing zeros, pre, post, dev, local: absent ones sort as PEP 440 says. */
function key(version: string): Key[] {
  const found = pattern.exec(version);
  if (!found) throw typeError(`Version comparison failed: Invalid version: '${version}'`);
  const [, epoch, release = '', preName, preNumber, dashPost, postName, postNumber, dev, devNumber, local] = found;
  const hasPost = dashPost !== undefined || postName !== undefined;
  const pre = preName ? [preRank(preName), Number(preNumber ?? 0)] : [dev && !hasPost ? -1 : 9, 0];
  const post = hasPost ? Number(dashPost ?? postNumber ?? 0) : -1;
  const locals = local
    ?.toLowerCase()
    .split(/[-_.]/)
    .map((part): Key => (/^\d+$/.test(part) ? Number(part) : part));
  const numbers = release
    .replace(/(?:\.0+)+$/, '')
    .split('.')
    .map(Number);
  return [Number(epoch ?? 0), numbers, pre, post, dev ? Number(devNumber ?? 0) : Infinity, locals ?? []];
}

function preRank(name: string): number {
  return { a: 0, b: 1 }[name[0]!.toLowerCase()] ?? 2;
}
