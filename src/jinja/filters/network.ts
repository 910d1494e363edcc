import { ipaddr, networkOf } from '../network/ipaddr.ts';
import { Network } from '../network/network.ts';
import { isTrue } from '../python/compare.ts';
import { pyRepr, pyStr } from '../python/repr.ts';
import { items } from '../python/sequence.ts';
import { need, shownType } from '../python/types.ts';
import { intOf, stringOf } from './helpers.ts';
import { type FilterTable, filter, isInt, isMapping, isString, Tuple, typeError, type Value } from './types.ts';

export const networkFilters: FilterTable = {
  ipaddr: filter(
    'query?, version?',
    'Checks an address or network, or answers a question about it.',
    (value, [query = '', version]) =>
      ipaddr(
        usable(value, 'ipaddr'),
        pyStr(query),
        version && isTrue(version) ? intOf(version, 'version') : undefined,
        'ipaddr',
      ),
  ),
  ipv4: filter('query?', 'As ipaddr, for IPv4 only.', (value, [query = '']) =>
    ipaddr(usable(value, 'ipv4'), pyStr(query), 4, 'ipv4'),
  ),
  ipv6: filter('query?', 'As ipaddr, for IPv6 only.', (value, [query = '']) =>
    ipaddr(usable(value, 'ipv6'), pyStr(query), 6, 'ipv6'),
  ),
  ipwrap: filter('', 'IPv6 addresses in brackets, everything else as it is.', (value) =>
    Array.isArray(value) || value instanceof Tuple ? items(value).map(wrapOne) : wrapOne(value),
  ),
  ipsubnet: filter('query?, index?', 'Sizes and numbers of the subnets of a network.', (value, [query = '', index]) =>
    subnetOf(value, pyStr(query), index),
  ),
  ipmath: filter('amount', 'An address so many addresses further.', (value, [amount]) => {
    const net = networkOf(value);
    if (!net || !isString(value)) throw typeError(`You must pass a valid IP address; ${pyRepr(value)} is invalid`);
    return moved(net, BigInt(intOf(amount, 'amount')));
  }),
  nthhost: filter('query', 'The address at a place of a network.', (value, [query]) => {
    const net = networkOf(value);
    const nth = BigInt(intOf(query, 'query'));
    if (!net || nth === 0n) return false;
    return nth < net.size && nth >= -net.size ? net.address(nth < 0n ? net.last + 1n + nth : net.first + nth) : false;
  }),
  next_nth_usable: filter('offset', 'The usable address so many places further.', (value, [offset]) =>
    usableAt(value, BigInt(intOf(offset))),
  ),
  previous_nth_usable: filter('offset', 'The usable address so many places before.', (value, [offset]) =>
    usableAt(value, -BigInt(intOf(offset))),
  ),
  network_in_network: filter('test', 'Whether a network, or address, lies in this one.', (value, [other]) =>
    isWithin(other!, bounds(value)),
  ),
  network_in_usable: filter(
    'test',
    'Whether a network, or address, lies in the usable part of this one.',
    (value, [other]) => {
      const net = networkOf(value);
      return net !== undefined && isWithin(other!, { version: net.version, range: net.usable });
    },
  ),
  reduce_on_network: filter('network', 'The addresses that lie in a network.', (value, [network]) => {
    const block = bounds(network!);
    return items(value).filter((address) => isWithin(address, block));
  }),
  ip4_hex: filter('delimiter?', 'An IPv4 address in hexadecimal digits.', (value, [delimiter = '']) => {
    const net = networkOf(value);
    if (net?.version !== 4) throw typeError(`'${pyStr(value)}' is no IPv4 address`);
    return net.ip
      .split('.')
      .map((part) => Number(part).toString(16).padStart(2, '0'))
      .join(stringOf(delimiter));
  }),
};

function usable(value: Value, name: string): Value {
  need(value);
  if (isString(value) || Array.isArray(value) || isInt(value)) return value;
  throw typeError(`Unrecognized type <${shownType(value)}> for ${name} filter <value>`);
}

function wrapOne(value: Value): Value {
  if (isMapping(value) || value === null) return value;
  const checked = ipaddr(value, '', undefined, 'ipwrap');
  return isTrue(checked) ? ipaddr(checked, 'wrap', undefined, 'ipwrap') : value;
}

function moved(net: Network, by: bigint): string {
  const target = net.value + by;
  if (target < 0n || target >= 1n << BigInt(net.width)) throw typeError('ipmath: the result is no address');
  return net.address(target);
}

function usableAt(value: Value, offset: bigint): Value {
  const net = networkOf(value);
  if (!net) return false;
  const [low, high] = net.usable;
  const target = net.value + offset;
  return net.size > 1n && target >= low && target <= high ? net.address(target) : null;
}

interface Block {
  version: 4 | 6;
  range: readonly [bigint, bigint];
}

function bounds(value: Value): Block {
  const net = networkOf(value);
  if (!net) throw typeError(`${pyRepr(value)} is no address or network`);
  return { version: net.version, range: [net.first, net.last] };
}

function isWithin(value: Value, block: Block): boolean {
  const { version, range } = bounds(value);
  return version === block.version && range[0] >= block.range[0] && range[1] <= block.range[1];
}

function subnetOf(value: Value, query: string, index: Value | undefined): Value {
  const found = networkOf(value);
  if (!found) return false;
  const net = new Network(found.version, found.first, found.prefix);
  if (query === '') return String(net);
  if (!/^\d+$/.test(query)) return placeIn(net, query);
  const prefix = Number(query);
  if (prefix > net.width) return false;
  return net.size === 1n ? supernet(net, prefix, index) : subnet(net, prefix, index);
}

/** Of an address: the network of this size around it, or the one at a place of the list of them, largest first. */
function supernet(net: Network, prefix: number, index: Value | undefined): Value {
  const at = index === undefined || index === null ? 0 : intOf(index, 'index');
  if (index !== undefined && index !== null && (at > net.width + 1 - at || at < prefix - net.width)) return false;
  const size = (at < 0 ? net.width + at : prefix + at) as number;
  if (prefix >= net.width || size < prefix || size >= net.width) throw typeError('list index out of range');
  return new Network(net.version, net.value, size).cidr;
}

function subnet(net: Network, prefix: number, index: Value | undefined): Value {
  const isAsked = index !== undefined && index !== null;
  if (prefix < net.prefix && isAsked) return false;
  if (prefix < net.prefix) throw typeError(`Requested subnet size of ${prefix} is invalid`);
  const count = 1n << BigInt(prefix - net.prefix);
  if (!isAsked) return String(count);
  const asked = BigInt(intOf(index, 'index'));
  const at = asked < 0n ? asked + count : asked;
  if (at < 0n || at >= count) return false;
  return String(new Network(net.version, net.first + (at << BigInt(net.width - prefix)), prefix));
}

/** The number, from 1, of a network among those of its size in a larger one. */
function placeIn(net: Network, query: string): Value {
  const outer = networkOf(query);
  if (!outer) throw typeError(`You must pass a valid subnet or IP address; ${query} is invalid`);
  const shift = BigInt(net.width - outer.prefix);
  if (net.value >> shift !== outer.value >> shift) throw typeError(`${net.cidr} is not in the subnet ${outer.cidr}`);
  return String(((net.value - outer.first) >> BigInt(net.width - net.prefix)) + 1n);
}
