import { utf8 } from '../core/bytes.ts';
import type { Value } from '../jinja/values.ts';
import { distributionFacts } from './base-distribution.ts';
import { hardwareFacts } from './base-hardware.ts';
import { networkFacts } from './base-network.ts';
import { type BaseParts, dict, pairs } from './base-parts.ts';
import { timeFacts } from './base-time.ts';

/** Ansible's facts out of one base record. */
export function factsOf(record: string): Map<string, Value> {
  const parts = partsOf(record);
  return new Map<string, Value>(
    Object.entries({
      ...systemFacts(parts),
      ...distributionFacts(parts),
      ...hardwareFacts(parts),
      ...networkFacts(parts),
      ...timeFacts(parts),
      ...userFacts(parts),
    }),
  );
}

function partsOf(record: string): BaseParts {
  const sections = sectionsOf(record);
  const section = (name: string) => sections.get(name) ?? '';
  const lines = pairs(section('lines'));
  const marked = (mark: string) =>
    section('lines')
      .split('\n')
      .filter((line) => line.startsWith(`${mark}=`))
      .map((line) => line.slice(mark.length + 1));
  const present = new Set(marked('has'));
  const tools = new Set(marked('tool'));
  return {
    section,
    line: (name) => lines.get(name) ?? '',
    has: (path) => present.has(path),
    tool: (name) => tools.has(name),
  };
}

function sectionsOf(record: string): Map<string, string> {
  const text = utf8(record);
  const start = text.indexOf('\x1eenv\n');
  if (!text.startsWith('\x1euname\n') || start < 0) throw new Error(`unreadable base facts: ${text.slice(0, 80)}`);
  const sections = text.slice(1, start).split('\x1e');
  const cut = (section: string) => section.indexOf('\n');
  const named = sections.map((part) => [part.slice(0, cut(part)), part.slice(cut(part) + 1).trimEnd()] as const);
  return new Map([...named, ['env', text.slice(start + 5)]]);
}

function systemFacts(parts: BaseParts): Record<string, Value> {
  const machine = parts.section('uname').trim();
  const node = parts.line('node');
  const fqdn = parts.section('fqdn') || node;
  const domain = fqdn.includes('.') ? fqdn.slice(fqdn.indexOf('.') + 1) : '';
  return {
    system: parts.line('system'),
    kernel: parts.line('kernel'),
    kernel_version: parts.line('version'),
    machine,
    architecture: machine,
    userspace_architecture: machine,
    userspace_bits: /64/.test(machine) || machine === 's390x' ? '64' : '32',
    nodename: node,
    hostname: node.split('.')[0]!,
    fqdn,
    domain,
    machine_id: parts.line('machine_id'),
    boot_id: parts.line('boot_id'),
    service_mgr: serviceManager(parts),
    fips: parts.line('fips') === '1',
    apparmor: dict({ status: parts.line('apparmor').startsWith('Y') ? 'enabled' : 'disabled' }),
    selinux: selinux(parts),
    ...systemd(parts.section('systemd')),
    ...hostKeys(parts),
  };
}

function hostKeys(parts: BaseParts): Record<string, Value> {
  const keys = ['rsa', 'ecdsa', 'ed25519'].map((type) => [type, parts.line(`hostkey_${type}`).split(' ')] as const);
  const there = keys.filter(([, words]) => words.length > 1);
  return Object.fromEntries(
    there.flatMap(([type, [keytype = '', key = '']]) => [
      [`ssh_host_key_${type}_public`, key],
      [`ssh_host_key_${type}_public_keytype`, keytype],
    ]),
  );
}

function serviceManager(parts: BaseParts): string {
  const init = parts.line('init');
  const known: Record<string, string> = {
    'runit-init': 'runit',
    svscan: 'svc',
    'openrc-init': 'openrc',
    procd: 'procd',
  };
  if (known[init]) return known[init];
  if (parts.has('/run/systemd/system') || init === 'systemd') return 'systemd';
  if (parts.has('/sbin/openrc')) return 'openrc';
  if (parts.tool('systemctl')) return 'systemd';
  return parts.has('/etc/init.d') ? 'sysvinit' : 'service';
}

/** Lines as `systemd 252 (252.39-1~deb12u1)` and `+PAM +AUDIT …`; older ansible-core has no such fact. */
function systemd(section: string): Record<string, Value> {
  const [, version, features = ''] = /^systemd (\d+).*(?:\n(.*))?/.exec(section) ?? [];
  return version === undefined ? {} : { systemd: dict({ version: Number(version), features }) };
}

function selinux(parts: BaseParts): Value {
  const enforce = parts.line('selinux');
  if (enforce === '') return dict({ status: 'disabled' });
  return dict({ status: 'enabled', mode: enforce === '1' ? 'enforcing' : 'permissive' });
}

function userFacts(parts: BaseParts): Record<string, Value> {
  const id = /^uid=(\d+)(?:\(([^)]*)\))? gid=(\d+)/.exec(parts.section('id'));
  const [, uid = '0', name = '', gid = '0'] = id ?? [];
  const [, , , , gecos = '', home = '', shell = ''] = (parts.section('passwd').split('\n')[0] ?? '').split(':');
  return {
    user_id: name,
    user_uid: Number(uid),
    user_gid: Number(gid),
    user_gecos: gecos,
    user_dir: home,
    user_shell: shell,
    real_user_id: Number(uid),
    effective_user_id: Number(uid),
    real_group_id: Number(gid),
    effective_group_id: Number(gid),
    env: environment(parts.section('env')),
  };
}

function environment(text: string): Value {
  const entries = text.split('\x1f').filter((entry) => entry.indexOf('=') > 0);
  return new Map(entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]));
}
