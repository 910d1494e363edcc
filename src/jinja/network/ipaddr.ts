import { typeError } from '../errors.ts';
import { isTrue } from '../python/compare.ts';
import { pyStr } from '../python/repr.ts';
import { items } from '../python/sequence.ts';
import { isInt, isString, Tuple, type Value } from '../values.ts';
import { Network } from './network.ts';
import { parseNetwork } from './parse.ts';
import { type Asked, queries } from './queries.ts';

/**
 * Ansible's ipaddr: checks that a value is an address or network, and answers one question about it. A value that is
 * none, or that the question does not fit, gives false or None; of a list those are left out.
 */
export function ipaddr(value: Value, query: string, version: number | undefined, alias: string): Value {
  if (Array.isArray(value) || value instanceof Tuple) {
    return items(value)
      .map((item) => ipaddr(item, query, version, alias))
      .filter(isTrue);
  }
  if (!isTrue(value) || value === true) return false;
  const asked = readAddress(value, version);
  if (!asked) return false;
  const block = isBlock(query) ? parseNetwork(query) : undefined;
  if (version !== undefined && asked.net.version !== version) return false;
  if (block) return asked.net.within(block) ? asked.value : null;
  return answer(asked, query, alias);
}

function answer(asked: Asked, query: string, alias: string): Value {
  if (Object.hasOwn(queries, query)) return queries[query]!(asked);
  if (!/^\s*[-+]?\d+\s*$/.test(query)) throw typeError(`${alias}: unknown filter type: ${query}`);
  if (asked.net.size > 1n) return hostAt(asked.net, BigInt(query.trim()));
  return asked.type === 'address' ? asked.net.ip : String(asked.net);
}

/** The address at a place of the network, from its end when negative. */
function hostAt(net: Network, place: bigint): Value {
  const at = place < 0n ? place + net.size : place;
  return at >= 0n && at < net.size ? `${net.address(net.first + at)}/${net.prefix}` : false;
}

/** A query that is itself an address or network asks whether the value lies in it. */
function isBlock(query: string): boolean {
  return query !== '' && !Object.hasOwn(queries, query) && !/^\d+$/.test(query);
}

function readAddress(value: Value, version: number | undefined): Asked | undefined {
  const source = pyStr(value);
  if (/^\d+$/.test(source)) return fromNumber(BigInt(source), version);
  if (!isString(value)) return undefined;
  const net = parseNetwork(source);
  if (net) return { net, type: source.includes('/') ? 'network' : 'address', value };
  const [, digits, prefix] = /^(\d+)\/(\d+)$/.exec(source) ?? [];
  return digits === undefined ? undefined : fromNumberedNetwork(BigInt(digits), Number(prefix));
}

function fromNumber(value: bigint, version: number | undefined): Asked | undefined {
  const isFour = version !== 6 && value < 1n << 32n;
  if (value >= 1n << 128n) return undefined;
  const net = isFour ? new Network(4, value, 32) : new Network(6, value, 128);
  return { net, type: 'address', value: String(net) };
}

function fromNumberedNetwork(value: bigint, prefix: number): Asked | undefined {
  const isFour = value < 1n << 32n && prefix <= 32;
  if (value >= 1n << 128n || prefix > 128) return undefined;
  const net = isFour ? new Network(4, value, prefix) : new Network(6, value, prefix);
  return { net, type: 'network', value: String(net) };
}

/** The network that a value stands for, however it is written. */
export function networkOf(value: Value): Network | undefined {
  const asked = isString(value) || isInt(value) ? readAddress(value, undefined) : undefined;
  if (!asked) return undefined;
  const { net } = asked;
  return net.value === net.first && net.size > 1n ? parseNetwork(net.cidr) : net;
}
