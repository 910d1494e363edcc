import type { Value } from '../jinja/values.ts';
import { type BaseParts, dict, pairs } from './base-facts.ts';

/** distribution*, os_family, pkg_mgr and lsb, as Ansible names them. */
export function distributionFacts(parts: BaseParts): Record<string, Value> {
  const os = osRelease(parts.section('os'));
  const id = os.get('ID') ?? '';
  const distribution = names[id] ?? capitalised(id || 'Linux');
  const version = versionOf(id, os, parts.section('release'));
  const family = familyOf(distribution, os.get('ID_LIKE') ?? '');
  return {
    distribution,
    distribution_version: version,
    distribution_major_version: version.split('.')[0]!,
    ...(version.includes('.') ? { distribution_minor_version: version.split('.')[1]! } : {}),
    distribution_release: releaseOf(os),
    os_family: family,
    pkg_mgr: packageManager(family, distribution, version, parts),
    lsb: lsbOf(os, parts),
  };
}

function osRelease(text: string): Map<string, string> {
  const unquoted = [...pairs(text)].map(([name, value]) => [name, unquote(value.trim())] as const);
  return new Map(unquoted);
}

function unquote(text: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(text);
  return quoted ? quoted[2]!.replace(/\\(["'$`\\])/g, '$1') : text;
}

const names: Record<string, string> = {
  almalinux: 'AlmaLinux',
  alpine: 'Alpine',
  amzn: 'Amazon',
  arch: 'Archlinux',
  centos: 'CentOS',
  coreos: 'CoreOS',
  debian: 'Debian',
  fedora: 'Fedora',
  flatcar: 'Flatcar',
  gentoo: 'Gentoo',
  kali: 'Kali',
  linuxmint: 'Linux Mint',
  ol: 'OracleLinux',
  'opensuse-leap': 'openSUSE Leap',
  'opensuse-tumbleweed': 'openSUSE Tumbleweed',
  openEuler: 'openEuler',
  photon: 'VMware Photon OS',
  pop: 'Pop!_OS',
  raspbian: 'Debian',
  rhel: 'RedHat',
  rocky: 'Rocky',
  sles: 'SLES',
  ubuntu: 'Ubuntu',
};

const families: Record<string, string[]> = {
  Debian: ['Debian', 'Ubuntu', 'Kali', 'Linux Mint', 'Pop!_OS'],
  RedHat: ['RedHat', 'Fedora', 'CentOS', 'OracleLinux', 'Amazon', 'AlmaLinux', 'Rocky', 'openEuler'],
  Suse: ['SLES', 'openSUSE Leap', 'openSUSE Tumbleweed'],
  CoreOS: ['CoreOS'],
};

function familyOf(distribution: string, like: string): string {
  for (const [family, members] of Object.entries(families)) if (members.includes(distribution)) return family;
  if (Object.values(names).includes(distribution))
    return distribution === 'VMware Photon OS' ? 'VMware Photon OS' : distribution;
  if (/\b(debian|ubuntu)\b/.test(like)) return 'Debian';
  if (/\b(rhel|fedora|centos)\b/.test(like)) return 'RedHat';
  return /\bsuse\b/.test(like) ? 'Suse' : distribution;
}

/** Debian and CentOS tell their point release only in files of their own. */
function versionOf(id: string, os: ReadonlyMap<string, string>, release: string): string {
  const plain = os.get('VERSION_ID') ?? '';
  const point = /(?:^|\s)(\d+(?:\.\d+)+)/.exec(release)?.[1];
  if ((id === 'debian' || id === 'centos') && point?.split('.')[0] === plain.split('.')[0]) return point ?? plain;
  if (plain !== '') return plain;
  return id === 'arch' ? 'rolling' : release.split('\n')[0]?.trim() || 'NA';
}

function releaseOf(os: ReadonlyMap<string, string>): string {
  const codename = os.get('VERSION_CODENAME') ?? os.get('UBUNTU_CODENAME');
  if (codename) return codename;
  return /\(([^)]+)\)/.exec(os.get('VERSION') ?? '')?.[1] ?? 'NA';
}

function packageManager(family: string, distribution: string, version: string, parts: BaseParts): string {
  if (parts.has('/run/ostree-booted')) return 'atomic_container';
  if (family === 'Debian' && parts.tool('apt-get')) return 'apt';
  if (family === 'RedHat') return redHatManager(distribution, version, parts);
  const found = ['apt-get', 'dnf', 'yum', 'zypper', 'apk', 'pacman', 'emerge', 'xbps-install', 'swupd'].find(
    parts.tool,
  );
  const special: Record<string, string> = { 'apt-get': 'apt', emerge: 'portage', 'xbps-install': 'xbps' };
  return found ? (special[found] ?? found) : 'unknown';
}

function redHatManager(distribution: string, version: string, parts: BaseParts): string {
  const major = Number(version.split('.')[0]);
  const old = distribution === 'Fedora' ? major < 23 : distribution === 'Amazon' ? major < 2022 : major < 8;
  const order = old ? ['yum', 'dnf'] : ['dnf', 'yum'];
  return order.find(parts.tool) ?? 'unknown';
}

/** What `lsb_release -a` would print, where that command is there; running it costs a Python start. */
function lsbOf(os: ReadonlyMap<string, string>, parts: BaseParts): Value {
  const file = osRelease(parts.section('lsb'));
  if (!parts.tool('lsb_release') && file.size === 0) return dict({});
  const release = file.get('DISTRIB_RELEASE') ?? os.get('VERSION_ID');
  const id = file.get('DISTRIB_ID') ?? names[os.get('ID') ?? ''];
  return dict({
    id,
    description: file.get('DISTRIB_DESCRIPTION') ?? os.get('PRETTY_NAME'),
    release,
    codename: file.get('DISTRIB_CODENAME') ?? os.get('VERSION_CODENAME'),
    major_release: release?.split('.')[0],
  });
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
