import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { Value } from '../../../src/jinja/values.ts';
import { Float } from '../../../src/jinja/values.ts';
import { type BaseFacts, baseFamily, baseKey } from '../../../src/world/base.ts';
import { suite } from '../../support/harness.ts';

type Sections = Record<string, string[]>;
interface Os {
  os: string[];
  release: string[];
  tools: string[];
  lsb?: string[];
  lines?: string[];
  has?: string[];
  expect: Record<string, unknown>;
}

const base = suite('base facts');
const recorded = (name: string) => JSON.parse(readFileSync(new URL(`recorded/${name}.json`, import.meta.url), 'utf8'));
const debian = recorded('base-debian') as Sections;

function facts(sections: Sections): BaseFacts {
  const record = Object.entries(sections).map(([name, lines]) => `\x1e${name}\n${lines.join('\n')}`);
  const answer = baseFamily.parse(record.join(''), baseKey);
  assert.is(answer.state, 'known');
  return (answer as { value: BaseFacts }).value;
}

function plain(value: Value | undefined): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, item]) => [String(name), plain(item)]));
  if (value instanceof Float) return value.value;
  return Array.isArray(value) ? value.map(plain) : value;
}

/** Debian's record with lines of one section replaced. */
function changed(section: string, ...lines: string[]): BaseFacts {
  const { env, ...rest } = debian;
  return facts({ ...rest, [section]: lines, env: section === 'env' ? lines : env! });
}

base('a Debian host, as ansible -m setup tells of it', () => {
  const found = facts(debian);
  const expected = {
    system: 'Linux',
    architecture: 'x86_64',
    userspace_bits: '64',
    hostname: 'h1',
    nodename: 'h1',
    fqdn: 'h1',
    domain: '',
    distribution: 'Debian',
    distribution_version: '12',
    distribution_major_version: '12',
    distribution_minor_version: '15',
    distribution_release: 'bookworm',
    os_family: 'Debian',
    pkg_mgr: 'apt',
    service_mgr: 'systemd',
    lsb: {},
    selinux: { status: 'disabled' },
    apparmor: { status: 'disabled' },
    fips: false,
    memtotal_mb: 24105,
    swaptotal_mb: 0,
    processor: ['0', 'AuthenticAMD', 'AMD EPYC', '1', 'AuthenticAMD', 'AMD EPYC'],
    processor_count: 1,
    processor_cores: 2,
    processor_threads_per_core: 1,
    processor_vcpus: 2,
    processor_nproc: 2,
    virtualization_type: 'container',
    virtualization_role: 'guest',
    user_id: 'root',
    user_uid: 0,
    user_dir: '/root',
    user_shell: '/bin/bash',
    interfaces: ['host0', 'lo'],
    all_ipv4_addresses: ['198.18.0.11'],
    all_ipv6_addresses: [],
    default_ipv6: {},
    product_name: 'NA',
    env: { HOME: '/root', PATH: '/usr/sbin:/usr/bin', ODD: 'a=b' },
  };
  for (const [name, value] of Object.entries(expected)) assert.equal(plain(found.get(name)), value, name);
  const route = plain(found.get('default_ipv4')) as Record<string, unknown>;
  const { macaddress, ...rest } = route;
  assert.match(String(macaddress), /^[0-9a-f:]{17}$/);
  assert.equal(rest, {
    address: '198.18.0.11',
    alias: 'host0',
    broadcast: '198.18.0.255',
    gateway: '198.18.0.1',
    interface: 'host0',
    mtu: 1400,
    netmask: '255.255.255.0',
    network: '198.18.0.0',
    prefix: '24',
    type: 'ether',
  });
  assert.match(String(found.get('boot_id')), /^[0-9a-f-]{36}$/);
});

for (const [name, os] of Object.entries(recorded('os') as Record<string, Os>))
  base(`distribution facts of ${name}`, () => {
    const lines = debian.lines!.filter(
      (line) => !/^(tool|selinux|has)=/.test(line) && !(os.lines && line.startsWith('init=')),
    );
    const init = os.lines?.some((line) => line.startsWith('init='))
      ? []
      : debian.lines!.filter((line) => line.startsWith('init='));
    const found = facts({
      ...debian,
      os: os.os,
      release: os.release,
      lsb: os.lsb ?? [],
      lines: [
        ...(os.lines ?? []),
        ...init,
        ...lines,
        ...os.tools.map((tool) => `tool=${tool}`),
        ...(os.has ?? []).map((path) => `has=${path}`),
      ],
    });
    for (const [fact, value] of Object.entries(os.expect)) assert.equal(plain(found.get(fact)), value, fact);
  });

base('the version of systemd and what it was built with; none where there is none', () => {
  const lines = ['systemd 229', '+PAM +AUDIT -SELINUX'];
  assert.equal(plain(changed('systemd', ...lines).get('systemd')), { version: 229, features: '+PAM +AUDIT -SELINUX' });
  assert.is(changed('systemd').get('systemd'), undefined);
});

base('sizes of mounts are told with them, and none where they are not measured', () => {
  const found = facts({
    ...debian,
    mounts: ['/dev/sda1 / ext4 rw,relatime 0 0', '/dev/sdb /my\\040disk xfs rw 0 0', 'nas:/x /nas nfs4 rw 0 0'],
    sizes: ['4096 100 40 50 20 /'],
  });
  assert.equal(plain(found.get('mounts')), [
    {
      mount: '/',
      device: '/dev/sda1',
      fstype: 'ext4',
      options: 'rw,relatime',
      uuid: 'N/A',
      size_total: 409600,
      size_available: 163840,
      block_size: 4096,
      block_total: 100,
      block_available: 40,
      block_used: 60,
      inode_total: 50,
      inode_available: 20,
      inode_used: 30,
    },
    { mount: '/my disk', device: '/dev/sdb', fstype: 'xfs', options: 'rw', uuid: 'N/A' },
    { mount: '/nas', device: 'nas:/x', fstype: 'nfs4', options: 'rw', uuid: 'N/A' },
  ]);
});

base('addresses: secondary ones, peers, IPv6, labels', () => {
  const found = facts({
    ...debian,
    link: [
      'name=eth0',
      'address=02:00:00:00:00:01',
      'mtu=1500',
      'flags=0x1103',
      'type=1',
      'operstate=up',
      'name=br-x.1',
      'bridge=1',
      'type=1',
      'flags=0x1002',
    ],
    addr: [
      '2: eth0    inet 10.1.2.3/20 brd 10.1.15.255 scope global dynamic eth0\\       valid_lft 1sec preferred_lft 1sec',
      '2: eth0    inet 10.1.2.4/32 scope global eth0:1\\       valid_lft forever preferred_lft forever',
      '2: eth0    inet6 fd00::5/64 scope global \\       valid_lft forever preferred_lft forever',
      '2: eth0    inet6 fe80::1/64 scope link \\       valid_lft forever preferred_lft forever',
    ],
    route6: ['2404:: from :: via fe80::ff dev eth0 proto ra src fd00::5 metric 100 pref medium'],
  });
  const eth0 = plain(found.get('eth0')) as Record<string, unknown>;
  assert.equal(eth0.ipv4, {
    address: '10.1.2.3',
    broadcast: '10.1.15.255',
    netmask: '255.255.240.0',
    network: '10.1.0.0',
    prefix: '20',
  });
  assert.equal(eth0.ipv4_secondaries, [
    { address: '10.1.2.4', broadcast: '', netmask: '255.255.255.255', network: '10.1.2.4', prefix: '32' },
  ]);
  assert.equal(eth0.ipv6, [
    { address: 'fd00::5', prefix: '64', scope: 'global' },
    { address: 'fe80::1', prefix: '64', scope: 'link' },
  ]);
  assert.is(eth0.promisc, true);
  assert.equal(plain(found.get('br_x_1')), { device: 'br-x.1', active: false, type: 'bridge', promisc: false });
  assert.equal(plain(found.get('default_ipv6')), {
    gateway: 'fe80::ff',
    interface: 'eth0',
    address: 'fd00::5',
    prefix: '64',
    scope: 'global',
    macaddress: '02:00:00:00:00:01',
    mtu: 1500,
    type: 'ether',
  });
});

base('without ip there are interfaces and no addresses', () => {
  const found = facts({ ...debian, addr: [], route4: [], route6: [] });
  assert.equal(plain(found.get('default_ipv4')), {});
  assert.equal(plain(found.get('all_ipv4_addresses')), []);
  assert.equal(plain(found.get('interfaces')), ['host0', 'lo']);
});

base('virtualization: by systemd, by what containers leave, by firmware, none', () => {
  const without = debian.lines!.filter((line) => !line.startsWith('container='));
  const type = (virt: string, ...lines: string[]) => {
    const found = facts({ ...debian, virt: [virt], lines: [...lines, ...without] });
    return [found.get('virtualization_type'), found.get('virtualization_role')];
  };
  assert.equal(type('kvm'), ['kvm', 'guest']);
  assert.equal(type('amazon'), ['kvm', 'guest']);
  assert.equal(type('oracle'), ['virtualbox', 'guest']);
  assert.equal(type('lxc'), ['lxc', 'guest']);
  assert.equal(type('none'), ['NA', 'NA']);
  assert.equal(type('none', 'has=/sys/module/kvm'), ['kvm', 'host']);
  assert.equal(type('', 'has=/.dockerenv'), ['docker', 'guest']);
  assert.equal(type('', 'sys_vendor=QEMU'), ['kvm', 'guest']);
});

base('time in the words of the host', () => {
  const found = plain(
    changed('date', '2026 03 01 04 05 06 1772334306 CET +0100 Sunday 0 08 060 123456789').get('date_time'),
  );
  assert.equal(found, {
    year: '2026',
    month: '03',
    weekday: 'Sunday',
    weekday_number: '0',
    weeknumber: '08',
    day: '01',
    hour: '04',
    minute: '05',
    second: '06',
    epoch: '1772334306',
    epoch_int: '1772334306',
    date: '2026-03-01',
    time: '04:05:06',
    iso8601_micro: '2026-03-01T03:05:06.123456Z',
    iso8601: '2026-03-01T03:05:06Z',
    iso8601_basic: '20260301T040506123456',
    iso8601_basic_short: '20260301T040506',
    tz: 'CET',
    tz_dst: 'CET',
    tz_offset: '+0100',
  });
});

base('resolv.conf', () => {
  const found = changed(
    'dns',
    '# c',
    'nameserver 10.0.0.1',
    'nameserver ::1',
    'search a.b c',
    'options ndots:5 rotate',
  );
  assert.equal(plain(found.get('dns')), {
    nameservers: ['10.0.0.1', '::1'],
    search: ['a.b', 'c'],
    options: { ndots: '5', rotate: true },
  });
});

base('an unreadable record is refused', () =>
  assert.throws(() => baseFamily.parse('garbage', baseKey), /unreadable base facts/),
);

base.run();
