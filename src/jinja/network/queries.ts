import { typeError } from '../errors.ts';
import { makeInt, type Value } from '../values.ts';
import type { Network } from './network.ts';
import { isMask, parseNetwork } from './parse.ts';

/** What a query sees: the network, how it was written, and the text itself. */
export interface Asked {
  net: Network;
  /** `network` when the text has a slash. */
  type: 'address' | 'network';
  value: Value;
}

export type Query = (asked: Asked) => Value;

const onlyNetworks =
  (query: Query): Query =>
  (asked) => {
    if (asked.type === 'address') throw typeError('Not a network address');
    return query(asked);
  };
const atHost = ({ net }: Asked) => net.value !== net.first;
const filtered =
  (holds: (net: Network) => boolean): Query =>
  ({ net, value }) =>
    holds(net) ? value : null;

const address: Query = ({ net }) =>
  net.size === 1n || net.value !== net.first || !net.hasBroadcast || net.version === 6 ? net.ip : null;
const withPrefix: Query = ({ net }) =>
  net.size > 2n && (net.value === net.first || (net.hasBroadcast && net.value === net.last)) ? false : String(net);
const network: Query = ({ net }) => net.network;
const subnet: Query = ({ net }) => net.cidr;
const loopback = filtered((net) => single(net, '127.0.0.0/8', '::1/128'));
const version4: Query = ({ net, value }) => (net.version === 4 ? value : asVersion4(net));
const version6: Query = ({ net, value }) => (net.version === 6 ? value : asVersion6(net));

/** The questions that `ipaddr('…')` can ask. */
export const queries: Record<string, Query> = {
  '': ({ net, type }) => (type === 'address' ? net.ip : String(net)),
  '6to4': ({ net, type, value }) => sixToFour(net, type, value),
  address,
  ip: address,
  'address/prefix': withPrefix,
  gateway: withPrefix,
  gw: withPrefix,
  'host/prefix': withPrefix,
  hostnet: withPrefix,
  router: withPrefix,
  bool: () => true,
  broadcast: ({ net }) => (net.size > 2n ? net.broadcast : null),
  cidr: ({ net }) => String(net),
  first_usable: onlyNetworks(({ net }) => (net.size > 1n ? net.address(net.usable[0]) : null)),
  last_usable: onlyNetworks(({ net }) => (net.size > 1n ? net.address(net.usable[1]) : null)),
  next_usable: onlyNetworks(({ net }) => neighbour(net, 1n)),
  previous_usable: onlyNetworks(({ net }) => neighbour(net, -1n)),
  range_usable: onlyNetworks(({ net }) => (net.size > 1n ? net.usable.map((end) => net.address(end)).join('-') : null)),
  peer: onlyNetworks(({ net }) => peer(net)),
  host: (asked) => (asked.net.size === 1n || atHost(asked) || !asked.net.hasBroadcast ? String(asked.net) : null),
  hostmask: ({ net }) => net.hostmask,
  wildcard: ({ net }) => net.hostmask,
  int: ({ net, type }) => (type === 'address' ? makeInt(net.value) : `${net.value}/${net.prefix}`),
  'ip/prefix': (asked) => (asked.net.size === 2n || atHost(asked) ? String(asked.net) : null),
  ip_netmask: (asked) => (asked.net.size === 2n || atHost(asked) ? `${asked.net.ip} ${asked.net.netmask}` : null),
  ipv4: version4,
  v4: version4,
  ipv6: version6,
  v6: version6,
  'link-local': filtered((net) => single(net, '169.254.0.0/16', 'fe80::/10')),
  loopback,
  lo: loopback,
  multicast: filtered(isMulticast),
  unicast: filtered((net) => !isMulticast(net)),
  net: (asked) => (asked.net.size > 1n && !atHost(asked) ? asked.net.cidr : null),
  netmask: ({ net }) => net.netmask,
  network,
  network_id: network,
  'network/prefix': subnet,
  subnet,
  network_netmask: ({ net }) => `${net.network} ${net.netmask}`,
  network_wildcard: ({ net }) => `${net.network} ${net.hostmask}`,
  prefix: ({ net }) => net.prefix,
  private: filtered(isPrivate),
  public: filtered((net) => isPublic(parseNetwork(net.ip)!)),
  revdns: ({ net }) => reverseName(net),
  size: ({ net }) => makeInt(net.size),
  size_usable: ({ net }) => makeInt(net.size === 1n ? 0n : net.size === 2n ? 2n : net.size - 2n),
  type: (asked) => (asked.net.size === 1n || atHost(asked) ? 'address' : 'network'),
  version: ({ net }) => net.version,
  wrap: ({ net, type, value }) => wrap(net, type, value),
};

function neighbour(net: Network, step: bigint): Value {
  const [low, high] = net.usable;
  const next = net.value + step;
  return net.size > 1n && next >= low && next <= high ? net.address(next) : null;
}

function peer(net: Network): Value {
  if (net.size === 2n) return net.address(net.value ^ 1n);
  if (net.size !== 4n) throw typeError('Not a point-to-point network');
  if (net.value % 4n === 0n) throw typeError('Network address of /30 has no peer');
  if (net.value % 4n === 3n) throw typeError('Broadcast address of /30 has no peer');
  return net.address(net.value ^ 3n);
}

function asVersion4(net: Network): Value {
  const low = net.value & 0xffff_ffffn;
  const high = net.value >> 32n;
  if (high !== 0n && high !== 0xffffn) return false;
  return net.prefix < 96 ? false : `${parseNetwork('0.0.0.0')!.address(low)}/${net.prefix - 96}`;
}

function asVersion6(net: Network): Value {
  return `${parseNetwork('::')!.address(net.value | (0xffffn << 32n))}/${net.prefix + 96}`;
}

/** Whether the address alone is in the block of its version. */
function single(net: Network, block4: string, block6: string): boolean {
  return parseNetwork(net.ip)!.within(parseNetwork(net.version === 4 ? block4 : block6)!);
}

const privateBlocks = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '239.0.0.0/8',
  '169.254.0.0/16',
  'fc00::/7',
  'fec0::/10',
  'fe80::/10',
].map((block) => parseNetwork(block)!);

function isPrivate(net: Network): boolean {
  return privateBlocks.some((block) => net.within(block));
}

function isMulticast(net: Network): boolean {
  return net.within(parseNetwork(net.version === 4 ? '224.0.0.0/4' : 'ff00::/8')!);
}

function isPublic(net: Network): boolean {
  return (
    !isMulticast(net) && !isPrivate(net) && !single(net, '127.0.0.0/8', '::1/128') && !isMask(net.value, net.width)
  );
}

function reverseName(net: Network): string {
  if (net.version === 4) return `${net.ip.split('.').reverse().join('.')}.in-addr.arpa.`;
  return `${[...net.value.toString(16).padStart(32, '0')].reverse().join('.')}.ip6.arpa.`;
}

function sixToFour(net: Network, type: string, value: Value): Value {
  const inBlock = net.version === 6 && parseNetwork(net.ip)!.within(parseNetwork('2002::/16')!);
  if (net.version === 6) return inBlock && (type === 'address' || net.value !== net.first) ? value : false;
  if (net.size > 1n && net.value === net.first) return false;
  const host = parseNetwork(net.ip)!;
  if (!isPublic(host) && !isPrivate(host)) return false;
  const [a, b, c, d] = net.ip.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  return `2002:${a}${b}:${c}${d}::1/48`;
}

function wrap(net: Network, type: string, value: Value): Value {
  if (net.version === 4) return value;
  return type === 'address' ? `[${net.ip}]` : `[${net.ip}]/${net.prefix}`;
}
