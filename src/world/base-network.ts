import type { Value } from '../jinja/values.ts';
import { type BaseParts, dict } from './base-parts.ts';

interface Link {
  name: string;
  fields: Map<string, string>;
  ipv4: Ipv4[];
  ipv6: { address: string; prefix: string; scope: string }[];
}

interface Ipv4 {
  address: string;
  prefix: number;
  broadcast: string;
  label: string;
}

/** interfaces, one dict for each, all_ipv4/6_addresses, default_ipv4/6 and dns. */
export function networkFacts(parts: BaseParts): Record<string, Value> {
  const links = linksOf(parts.section('link'), parts.section('addr'));
  const all4 = links.flatMap((link) => link.ipv4.map(({ address }) => address));
  const all6 = links.flatMap((link) => link.ipv6.map(({ address }) => address));
  return {
    interfaces: links.map((link) => link.name),
    ...Object.fromEntries(links.map((link) => [factName(link.name), interfaceFact(link)])),
    all_ipv4_addresses: all4.filter((address) => !address.startsWith('127.')),
    all_ipv6_addresses: all6.filter((address) => address !== '::1'),
    default_ipv4: default4(parts.section('route4'), links),
    default_ipv6: default6(parts.section('route6'), links),
    dns: dns(parts.section('dns')),
  };
}

/** Ansible makes names of facts out of names of interfaces. */
function factName(name: string): string {
  return name.replace(/[-:.]/g, '_');
}

function linksOf(text: string, addresses: string): Link[] {
  const links = text
    .split(/^name=/m)
    .slice(1)
    .map((part) => {
      const [name = '', ...lines] = part.split('\n');
      const fields = lines.filter((line) => line.includes('='));
      return {
        name,
        fields: new Map(fields.map((line) => line.split('=', 2) as [string, string])),
        ipv4: [] as Ipv4[],
        ipv6: [] as Link['ipv6'],
      };
    });
  for (const line of addresses.split('\n')) addAddress(line, links);
  return links;
}

/** `2: eth0    inet 198.18.0.2/24 brd 198.18.0.255 scope global eth0\       valid_lft …` */
function addAddress(line: string, links: Link[]) {
  const found = /^\d+: (\S+)\s+(inet6?) (\S+?)(?:\/(\d+))?(?: peer (\S+))?(?: brd (\S+))? (?:.*?)scope (\S+)(.*)$/.exec(
    line,
  );
  const link = found && links.find(({ name }) => name === found[1]);
  if (!found || !link) return;
  const [, , family, address = '', prefix, peer, broadcast = '', scope = '', rest = ''] = found;
  const bits = prefix ?? peer?.split('/')[1] ?? (family === 'inet' ? '32' : '128');
  if (family === 'inet6') link.ipv6.push({ address, prefix: bits, scope });
  else link.ipv4.push({ address, prefix: Number(bits), broadcast, label: labelOf(rest, link.name) });
}

function labelOf(rest: string, name: string): string {
  return rest.replace(/\\.*$/, '').trim().split(/\s+/).at(-1) || name;
}

function interfaceFact(link: Link): Value {
  const [first, ...others] = link.ipv4.map(ipv4Fact);
  const mac = link.fields.get('address') ?? '';
  return dict({
    device: link.name,
    ...(mac === '' || mac === '00:00:00:00:00:00' ? {} : { macaddress: mac }),
    ...(link.fields.get('mtu') ? { mtu: Number(link.fields.get('mtu')) } : {}),
    active: (Number(link.fields.get('flags') ?? 0) & 1) === 1,
    type: typeOf(link),
    promisc: (Number(link.fields.get('flags') ?? 0) & 0x100) !== 0,
    ...(first ? { ipv4: first } : {}),
    ...(others.length > 0 ? { ipv4_secondaries: others } : {}),
    ...(link.ipv6.length > 0 ? { ipv6: link.ipv6.map((address) => dict(address)) } : {}),
  });
}

function typeOf(link: Link): string {
  if (link.fields.has('bridge')) return 'bridge';
  if (link.fields.has('bonding')) return 'bonding';
  const types: Record<string, string> = {
    '1': 'ether',
    '32': 'infiniband',
    '512': 'ppp',
    '772': 'loopback',
    '65534': 'tunnel',
  };
  return types[link.fields.get('type') ?? ''] ?? 'unknown';
}

function ipv4Fact(address: Ipv4): Value {
  return dict({
    address: address.address,
    broadcast: address.broadcast,
    netmask: dotted(mask(address.prefix)),
    network: dotted((number(address.address) & mask(address.prefix)) >>> 0),
    prefix: String(address.prefix),
  });
}

function default4(route: string, links: Link[]): Value {
  const { link, gateway, source } = defaultOf(route, links);
  if (!link) return dict({});
  const own = link.ipv4.find(({ address }) => address === source);
  return dict({
    gateway,
    interface: link.name,
    address: source,
    ...(own ? Object.fromEntries(ipv4Fact(own) as Map<string, Value>) : {}),
    ...(link.fields.get('address') ? { macaddress: link.fields.get('address')! } : {}),
    ...(link.fields.get('mtu') ? { mtu: Number(link.fields.get('mtu')) } : {}),
    type: typeOf(link),
    ...(own ? { alias: own.label } : {}),
  });
}

function default6(route: string, links: Link[]): Value {
  const { link, gateway, source } = defaultOf(route, links);
  if (!link || link.name === 'lo') return dict({});
  const own = link.ipv6.find(({ address }) => address === source);
  return dict({
    gateway,
    interface: link.name,
    address: source,
    ...(own ? { prefix: own.prefix, scope: own.scope } : {}),
    ...(link.fields.get('address') ? { macaddress: link.fields.get('address')! } : {}),
    ...(link.fields.get('mtu') ? { mtu: Number(link.fields.get('mtu')) } : {}),
    type: typeOf(link),
  });
}

function defaultOf(route: string, links: Link[]) {
  const word = (name: string) => new RegExp(`(?:^|\\s)${name} (\\S+)`).exec(route)?.[1];
  const device = word('dev');
  return { link: links.find(({ name }) => name === device), gateway: word('via'), source: word('src') };
}

function dns(text: string): Value {
  const words = text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([first]) => first && !/^[#;]/.test(first));
  const rest = (name: string) => words.filter(([first]) => first === name).map(([, ...others]) => others);
  const [nameservers, search] = [rest('nameserver').map(([address]) => address ?? ''), rest('search').at(-1)];
  const options = rest('options')
    .flat()
    .map((option): [string, Value] => {
      const [name = '', value] = option.split(':', 2);
      return [name, value ?? true];
    });
  return dict({
    ...(nameservers.length > 0 ? { nameservers } : {}),
    ...(search ? { search } : {}),
    ...(options.length > 0 ? { options: new Map(options) } : {}),
  });
}

function number(address: string): number {
  return address.split('.').reduce((sum, part) => ((sum << 8) | Number(part)) >>> 0, 0);
}

function mask(prefix: number): number {
  return prefix === 0 ? 0 : (0xffffffff << (32 - prefix)) >>> 0;
}

function dotted(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
}
