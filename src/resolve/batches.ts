import { inputError } from '../core/errors.ts';
import type { Node } from '../core/node.ts';
import { scalarText } from '../core/plain.ts';
import type { Value } from '../jinja/index.ts';

/**
 * Hosts of a wave in batches: whole numbers, percentages of the wave (rounded down, at least 1), a list whose last entry
 * repeats, or `{by, max}`: each batch holds at most `max` hosts of one failure domain. `serial`: rendered.
 */
export function cutBatches(
  hosts: readonly string[],
  serial: Value,
  at: Node,
  domainOf: (host: string, by: string) => string,
): string[][] {
  if (serial instanceof Map) return byDomain(hosts, serial, at, domainOf);
  const sizes = (Array.isArray(serial) ? serial : [serial]).map((size) => sizeOf(size, hosts.length, at));
  return hosts.length === 0 ? [] : bySize(hosts, sizes.length ? sizes : [0]);
}

/** Size 0: all that are left. */
function bySize(hosts: readonly string[], sizes: number[]): string[][] {
  const batches: string[][] = [];
  for (let from = 0; from < hosts.length; ) {
    const size = sizes[Math.min(batches.length, sizes.length - 1)] || hosts.length;
    batches.push(hosts.slice(from, from + size));
    from += size;
  }
  return batches;
}

function sizeOf(value: Value, total: number, at: Node): number {
  if (value === null) return 0;
  const match = /^(\d+)(?:\.\d+)?(%?)$/.exec(scalarText(value)?.trim() ?? '');
  if (!match) throw notSerial(at);
  const number = Number((scalarText(value) ?? '').trim().replace('%', ''));
  return match[2] ? Math.max(1, Math.floor((number / 100) * total)) : Math.floor(number);
}

function byDomain(
  hosts: readonly string[],
  serial: Map<Value, Value>,
  at: Node,
  domainOf: (host: string, by: string) => string,
): string[][] {
  const by = scalarText(serial.get('by') ?? null);
  const max = Number(scalarText(serial.get('max') ?? 1));
  if (by === undefined || !Number.isInteger(max) || max < 1) throw notSerial(at);
  const seen = new Map<string, number>();
  const batches: string[][] = [];
  for (const host of hosts) {
    const domain = domainOf(host, by);
    const rank = seen.get(domain) ?? 0;
    seen.set(domain, rank + 1);
    const batch = Math.floor(rank / max);
    batches[batch] = [...(batches[batch] ?? []), host];
  }
  return batches;
}

function notSerial(at: Node) {
  return inputError("'serial' cannot be used", {
    origin: at.origin,
    expected: "a number of hosts, a percentage such as '25%', a list of them, or {by: VARIABLE, max: N}",
  });
}
