import { createHmac } from 'node:crypto';

/** What values are compared by without being kept: HMAC-SHA-256 under the key of one plan, as hex. */
export type Seal = (value: unknown) => string;

export function sealWith(key: Uint8Array): Seal {
  return (value) => createHmac('sha256', key).update(canonical(value)).digest('hex');
}

/** One text for equal values: members sorted, what is undefined left out, maps and bytes told from objects. */
export function canonical(value: unknown): string {
  if (value instanceof Uint8Array) return `bytes:${Buffer.from(value).toString('base64')}`;
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value instanceof Map) return `map{${[...value].map((pair) => pair.map(canonical).join(':')).join(',')}}`;
  if (value instanceof Set) return `set${canonical([...value])}`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') throw new Error('a function is no part of a plan');
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
