import type { Chance } from './random.ts';

type Maker = (c: Chance) => string;

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
const number: Maker = (c) =>
  c.pick([
    `${c.below(2000) - 1000}`,
    `${(c.next() * 2000 - 1000).toFixed(c.below(6))}`,
    '0',
    '0.5',
    '1e10',
    '1.5e-9',
    '123456789',
    '0.1',
    '2.5',
    '-2.5',
  ]);
const whole: Maker = (c) => `${c.below(100_000) - 50_000}`;
const word: Maker = (c) =>
  c.pick([
    '',
    'a',
    'node-1',
    'é☃',
    'two words',
    'a.b.c',
    '/etc/x/y.conf',
    'x=y',
    "it's",
    'MiXed',
    '  pad  ',
    'line\none',
    'a,b,,c',
    '42',
  ]);
const flags: Maker = (c) => ['-', '+', ' ', '0', '#'].filter(() => c.chance(0.25)).join('');
const width: Maker = (c) => c.pick(['', '', `${c.below(12)}`]);
const precision: Maker = (c) => c.pick(['', '', `.${c.below(8)}`]);
const octet: Maker = (c) => String(c.pick([0, 1, 10, 127, 168, 192, 224, 255, c.below(256)]));
const address: Maker = (c) =>
  c.chance(0.65)
    ? c.times(4, () => octet(c)).join('.')
    : c.pick([
        '::1',
        'fe80::1',
        '2001:db8::',
        '2001:db8:0:1::ff',
        'fc00::1:2',
        '::ffff:10.0.0.1',
        'ff02::1',
        '1:0:0:2:0:0:0:3',
      ]);
/** Not of small IPv6 numbers: Ansible takes those for IPv4 addresses. */
const network: Maker = (c) => {
  const base = address(c);
  if (/^(?:::|1:)/.test(base)) return base;
  return c.chance(0.7) ? `${base}/${base.includes(':') ? 48 + c.below(81) : c.below(33)}` : base;
};
const queries = [
  '',
  'address',
  'network',
  'netmask',
  'prefix',
  'broadcast',
  'subnet',
  'size',
  'size_usable',
  'first_usable',
  'last_usable',
  'next_usable',
  'previous_usable',
  'range_usable',
  'host',
  'host/prefix',
  'ip/prefix',
  'net',
  'type',
  'int',
  'revdns',
  'private',
  'public',
  'version',
  'hostmask',
  'bool',
  'loopback',
  'multicast',
  'unicast',
  'link-local',
  'wrap',
  'peer',
  'cidr',
  'ip_netmask',
  'network_wildcard',
  '10.0.0.0/8',
  '2001:db8::/32',
  '1',
  '-1',
];
const part: Maker = (c) => c.pick(['0', '1', '2', '9', '10', '28', '100']);
const version: Maker = (c) =>
  c.pick(['', '', 'v']) +
  c.times(1 + c.below(4), () => part(c)).join('.') +
  c.pick(['', '', '', 'rc1', '-rc.1', 'a', 'b2', '.post1', '.dev3', '+k3s1', '-alpha', '~1']);
const url: Maker = (c) =>
  c.pick(['http://', 'https://u:p@', 'ftp://u@', '//', '', 'file:///', 'mailto:']) +
  c.pick(['host', 'HOST.example', '10.0.0.1', '[::1]', '']) +
  c.pick(['', ':80', ':', ':x']) +
  c.pick(['', '/', '/a/b', '/a?x=1', '?q', '#f', '/a?x=1&y=2#z']);
const epoch: Maker = (c) => `${c.below(2_000_000_000)}`;
const directive: Maker = (c) => `%${c.pick([...'aAbBcdDeFHIjklmMnprRsStTuUVwWxXyYzC%G'])}`;
const lines: Maker = (c) =>
  c
    .times(c.below(12), () =>
      c.pick(['word', 'a', 'longer-word', 'hyphen-ated', '\n', 'x--y', 'averyveryverylongwordindeed', ' ']),
    )
    .join(' ');

const makers: Maker[] = [
  (c) =>
    `${quote(`%${flags(c)}${width(c)}${precision(c)}${c.pick([...'deEfFgGsrxXoic'])}`)} % ${c.pick([number, whole])(c)}`,
  (c) =>
    `${quote(`{:${c.pick(['', '*<', '>', '^', '=', '0='])}${c.pick(['', '+', '-', ' '])}${c.pick(['', '#'])}${c.pick(['', '0'])}${width(c)}${c.pick(['', ',', '_'])}${precision(c)}${c.pick(['', ...'deEfFgGxXobn%s'])}}`)}.format(${c.pick([number, whole, () => quote(word(c))])(c)})`,
  (c) => `(${number(c)}) | round(${c.below(5) - 1}${c.pick(['', ", 'ceil'", ", 'floor'"])})`,
  (c) => `(${number(c)} ${c.pick(['+', '-', '*', '/', '//', '%'])} ${number(c)})`,
  (c) => `(${number(c)}) | string`,
  (c) => `(${number(c)}) | int ~ '/' ~ ${quote(c.pick([number, word])(c))} | float`,
  (c) =>
    `(${whole(c)} | abs) | ${c.pick(['human_readable', 'filesizeformat', 'human_readable(true)', 'filesizeformat(true)'])}`,
  (c) =>
    `${quote(version(c))} is version(${quote(version(c))}, ${quote(c.pick(['<', '>=', '==', '!=']))}${c.pick(['', '', '', ', strict=true', ", version_type='semver'", ", version_type='pep440'"])})`,
  (c) => `${quote(network(c))} | ansible.utils.ipaddr(${quote(c.pick(queries))})`,
  (c) =>
    `${quote(network(c))} | ansible.utils.${c.pick(['ipv4', 'ipv6', 'ipwrap', 'ipsubnet', 'ipsubnet(24)', 'ipsubnet(26, 1)', 'nthhost(2)', 'next_nth_usable(1)'])}`,
  (c) => `${quote(address(c))} | ansible.utils.ipmath(${c.below(600) - 300})`,
  (c) => `${quote(url(c))} | urlsplit`,
  (c) => `${quote(c.times(4, () => directive(c)).join('|'))} | strftime(${epoch(c)}, utc=true)`,
  (c) => `(${c.below(100_000) + 1}) | random(seed=${c.pick([quote(word(c)), whole(c)])})`,
  (c) => `range(${2 + c.below(12)}) | list | shuffle(seed=${quote(`s${c.below(1000)}`)})`,
  (c) => `${quote(lines(c))} | wordwrap(${1 + c.below(20)}${c.pick(['', ', false', ', break_on_hyphens=false'])})`,
  (c) => `${quote(lines(c))} | indent(${c.below(6)}, ${c.pick(['true', 'false'])}, ${c.pick(['true', 'false'])})`,
  (c) => `${quote(lines(c))} | comment(${quote(c.pick(['plain', 'c', 'cblock', 'xml', 'erlang']))})`,
  (c) => `${quote(lines(c))} | truncate(${3 + c.below(20)}, ${c.pick(['true', 'false'])}, '..', ${c.below(4)})`,
  (c) =>
    `${quote(c.times(3, () => word(c)).join('/'))} | ${c.pick(['basename', 'dirname', 'splitext', 'win_basename', 'win_dirname', 'quote', 'urlencode', 'regex_escape', 'hash', 'b64encode', 'to_uuid', 'title', 'to_json'])}`,
  (c) => `[${c.times(1 + c.below(3), () => quote(c.pick(['a', '/b', 'c/', '', '../d']))).join(', ')}] | path_join`,
  (c) =>
    `${quote(word(c))}.${c.pick(['split', 'rsplit'])}(${c.pick(['none', "' '", "','", "'a'"])}, ${c.below(4) - 1})`,
  (c) => `${quote(word(c))}.${c.pick(['center', 'ljust', 'rjust', 'zfill'])}(${c.below(14)})`,
  (c) =>
    `[${c.times(c.below(5), () => number(c)).join(', ')}] | ${c.pick(['sum', 'max', 'min', 'sort', 'unique', 'to_json', 'to_yaml', 'string'])}`,
  (c) =>
    `${quote(`a: ${c.pick(['1', '0o7', '010', '1_0', '1e3', '1.5', '.5', 'yes', '~', '"x"', "'y'", '[1, a]', '{b: c}', '12:30', '2024-01-05', '!!str 5', '|\n  x\n  y\n', '>\n  x\n  y\n\n  z\n', '&k v\nb: *k', '- x', 'a b # c', '"\\u00e9\\n"'])}`)} | from_yaml | string`,
  (c) =>
    `${quote(`[${c.times(c.below(4), () => c.pick(['1', '1.0', '-0', '1e5', 'true', 'null', '"x\\u00e9"', '{"a": []}', '01', "'x'", ''])).join(', ')}]`)} | from_json | string`,
];

/** An expression about formats: numbers, versions, addresses, dates, paths. */
export function special(c: Chance): string {
  return c.pick(makers)(c);
}
