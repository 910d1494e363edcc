import type { Value } from '../jinja/values.ts';
import { type BaseParts, dict, pairs } from './base-parts.ts';

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
    ...minorVersion(id, version, parts.section('release')),
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

/** CentOS tells its point release only in a file of its own. So does Debian, but Ansible takes no notice of it here. */
function versionOf(id: string, os: ReadonlyMap<string, string>, release: string): string {
  const plain = os.get('VERSION_ID') ?? '';
  const point = /(?:^|\s)(\d+(?:\.\d+)+)/.exec(release)?.[1];
  if (id === 'centos' && point?.split('.')[0] === plain.split('.')[0])
    return point?.split('.').slice(0, 2).join('.') ?? plain;
  if (plain !== '') return plain;
  return id === 'arch' ? 'rolling' : release.split('\n')[0]?.trim() || 'NA';
}

/** Of Debian from /etc/debian_version, of others from the version. */
function minorVersion(id: string, version: string, release: string): Record<string, Value> {
  const minor = id === 'debian' ? /^\d+\.(\d+)/m.exec(release)?.[1] : version.split('.')[1];
  return minor === undefined ? {} : { distribution_minor_version: minor };
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
