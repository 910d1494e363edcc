import { readFileSync } from 'node:fs';
import type { Answer, FactKey } from '../../../src/core/facts.ts';
import { baseFamily, baseKey } from '../../../src/world/base.ts';
import { factOf } from '../../unit/modules/world-words.ts';

/** What makes a paper machine another one than the recorded Debian. */
export interface System {
  /** A distribution of test/unit/world/recorded/os.json; absent: the recorded Debian 12 itself. */
  os?: string;
  /** /usr, and so /usr/local/bin, cannot be written. */
  readOnlyUsr?: boolean;
  systemd?: number;
  /** Seconds that its clock is ahead of the controller's. */
  clockAhead?: number;
  machineId?: string;
  /** Commands of the playbook's own that would only look, by a word in them: whether they say yes. */
  says?: Record<string, boolean>;
  /** Units of the image. */
  units?: string[];
  /** Every package is installed that is asked for. */
  hasPackages?: boolean;
}

type Sections = Record<string, string[]>;
type Recorded = Record<string, { os: string[]; release: string[]; tools: string[]; lsb?: string[] }>;

const recorded = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../unit/world/recorded/${name}.json`, import.meta.url), 'utf8'));
const debian = recorded('base-debian') as Sections;
const systems = recorded('os') as Recorded;

/** The answer of a machine on which kpush never was, to any question that playbooks/cluster.yaml asks. */
export function bareAnswer(system: System, key: FactKey): Answer {
  if (key.family === 'base') return baseOf(system);
  const answer = answers[key.family];
  if (!answer) throw new Error(`a bare machine was not told what to answer to ${key.family}:${key.id}`);
  return { state: 'known', raw: '', value: answer(key.id, system) };
}

function baseOf({ os, systemd = 252, clockAhead = 0, machineId }: System): Answer {
  const other = os === undefined ? undefined : systems[os];
  if (os !== undefined && !other) throw new Error(`no ${os} is recorded`);
  const { env, ...rest } = debian;
  // `env` ends a record.
  const sections: Sections = {
    ...rest,
    systemd: [`systemd ${systemd}`],
    date: [clock(clockAhead)],
    ...(other ? changedBy(other) : {}),
    env: env ?? [],
  };
  if (machineId)
    sections.lines = [
      `machine_id=${machineId}`,
      ...(sections.lines ?? []).filter((line) => !line.startsWith('machine_id=')),
    ];
  const record = Object.entries(sections).map(([name, lines]) => `\x1e${name}\n${lines.join('\n')}`);
  return baseFamily.parse(record.join(''), baseKey);
}

function changedBy({ os, release, tools, lsb }: Recorded[string]): Sections {
  const lines = (debian.lines ?? []).filter((line) => !line.startsWith('tool='));
  return { os, release, lsb: lsb ?? [], lines: [...lines, ...tools.map((tool) => `tool=${tool}`)] };
}

/** The recorded time, said to be now: the seventh word is seconds since the epoch. */
function clock(ahead: number): string {
  const words = debian.date![0]!.split(' ');
  return words.with(6, String(Math.floor(Date.now() / 1000) + ahead)).join(' ');
}

const folders = new Set(
  '/ /usr /etc /var /opt /lib /usr/local /usr/local/bin /var/lib /var/lib/kubelet /lib/systemd/system /etc/systemd /etc/systemd/system /etc/systemd/system/multi-user.target.wants /etc/modules-load.d /etc/sysctl.d'.split(
    ' ',
  ),
);

const rpm = new Set(['rocky', 'rhel7', 'centos', 'amazon']);

/** Families, each with what a bare machine says. */
const answers: Record<string, (id: string, system: System) => unknown> = {
  'clock-skew': (_, { clockAhead = 0 }) => ({ least: clockAhead, most: clockAhead }),
  file: (path) =>
    factOf(
      'file',
      path,
      path === '/lib/systemd/system/network-online.target' ? {} : folders.has(path) ? { kind: 'directory' } : 'absent',
    ),
  content: (path) => factOf('content', path, null),
  stat: (_path, { readOnlyUsr }) => ({ readable: true, writeable: !readOnlyUsr, executable: true }),
  self: () => ({ uid: 0, gid: 0, user: 'root', group: 'root', groups: [0] }),
  user: (name, { hasPackages }) =>
    hasPackages && name === 'etcd' ? { exists: true, name, uid: 110, gid: 110 } : { exists: false },
  group: (name, { hasPackages }) =>
    hasPackages && name === 'etcd' ? { exists: true, name, gid: 110 } : { exists: false },
  digest: () => ({}),
  package: (name, { hasPackages }) => ({
    manager: 'dpkg',
    instances: hasPackages ? [{ name, architecture: 'amd64', status: 'installed', version: '99' }] : [],
    providers: [],
    native: 'amd64',
  }),
  'apt-lists': () => ({ updated: 0, now: 1_000_000 }),
  'apt-sim': () => ({ install: [], remove: [], errors: [] }),
  kmod: () => ({ state: 'available' }),
  sysctl: () => ({ value: '0' }),
  manager: () => ({ stale: false }),
  unit: (id, { units = [] }) => ({
    ...{ names: [id], active: 'inactive', fileState: '', fragment: '', dropIns: [], properties: {} },
    ...(units.includes(id) ? { load: 'loaded', fileState: 'disabled', type: 'notify' } : { load: 'not-found' }),
  }),
  'custom-facts': () => new Map(),
  expand: (path) => path,
  which: (name, { os }) => (name === 'dnf' && rpm.has(os ?? '') ? '/usr/bin/dnf' : undefined),
  tool: (_id, { hasPackages }) => ({ rc: hasPackages ? 0 : 1, stdout: '' }),
  bytes: () => ({ state: 'absent' }),
  unarchived: () => ({ state: 'no-archive', names: [] }),
  probe: (id, { says = {} }) => ({
    rc: Object.entries(says).some(([word, yes]) => yes && id.includes(word)) ? 0 : 1,
    stdout: '',
  }),
};
