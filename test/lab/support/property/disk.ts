import {
  chmodSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Lab } from '../../../lab-kit/index.ts';
import { hostRoot } from '../host-root.ts';
import {
  accountName,
  type Case,
  flatten,
  packageName,
  rootOf,
  type StartItem,
  type Unit,
  unitName,
  unitText,
} from './case.ts';

/** What is at a path. Owner and group by name. */
export interface Entry {
  kind: 'file' | 'directory' | 'link';
  mode: number;
  owner: string;
  group: string;
  text?: string;
  target?: string;
  /** When anything of it last changed, in nanoseconds. */
  stamp: bigint;
}

export type Files = Map<string, Entry>;

export interface UnitState {
  active: string;
  enabled: string;
}

/** A host's disk and services, written and read from outside, beside kpush. */
export class HostDisk {
  private readonly root: string;

  constructor(
    private readonly lab: Lab,
    private readonly host: string,
  ) {
    this.root = hostRoot(lab, host);
  }

  /** What every case may use: files to download, and a repository of two small packages. */
  async prepare(): Promise<void> {
    await this.lab.sh(this.host, ['sh', '-ec', preparation]);
  }

  /** Makes the start state of a case; what cannot stand where something else stands is left out. */
  async build(spec: Case, id: string): Promise<void> {
    for (const view of ['B', 'U', 'R'] as const) mkdirSync(this.root + rootOf(view, id), { recursive: true });
    for (const item of spec.start) this.place(item, id);
    await waitUntil(() => !existsSync(`${this.root}/run/kpush.lock`));
    const lines = spec.start.flatMap((item) => startLines(item, id));
    if (lines.length > 0) await this.lab.sh(this.host, ['sh', '-ec', lines.join('\n')]);
  }

  /** Everything below the case's directories, its units' files, and the accounts. */
  scan(id: string): Files {
    const names = this.names();
    const found: Files = new Map();
    for (const view of ['B', 'U', 'R'] as const) this.walk(rootOf(view, id), names, found);
    for (const unit of ['u', 'v'] as const)
      for (const ending of ['', '.d']) this.walk(`/etc/systemd/system/${unitName(unit, id)}${ending}`, names, found);
    for (const path of ['/etc/passwd', '/etc/group', '/run/kpush', '/run/kpush.lock', '/var/lib/kpush'])
      this.walk(path, names, found);
    return found;
  }

  /** Users or groups by name. */
  accounts(file: 'passwd' | 'group'): string[] {
    const lines = readFileSync(`${this.root}/etc/${file}`, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => line.split(':')[0]!);
  }

  /** Of the test's packages, those that are installed. */
  packages(): string[] {
    const records = readFileSync(`${this.root}/var/lib/dpkg/status`, 'utf8').split('\n\n');
    return (['a', 'b'] as const)
      .map(packageName)
      .filter((name) =>
        records.some((record) => record.startsWith(`Package: ${name}\nStatus: install ok installed\n`)),
      );
  }

  async units(id: string): Promise<Record<Unit, UnitState>> {
    const show = (unit: Unit) =>
      `systemctl show -P ActiveState -P UnitFileState ${unitName(unit, id)} | tr '\\n' ' '; echo`;
    const lines = (await this.lab.sh(this.host, ['sh', '-c', `${show('u')}; ${show('v')}`])).split('\n');
    const state = (line = ''): UnitState => ({ active: line.split(' ')[0] ?? '', enabled: line.split(' ')[1] ?? '' });
    return { u: state(lines[0]), v: state(lines[1]) };
  }

  /** Takes away everything that a case may have left. */
  async clear(spec: Case, id: string): Promise<void> {
    for (const view of ['B', 'U', 'R'] as const) rmSync(this.root + rootOf(view, id), { recursive: true, force: true });
    const lines: string[] = [];
    const units = `${unitName('u', id)} ${unitName('v', id)}`;
    if (hasUnits(spec))
      lines.push(
        `systemctl disable --now ${units} 2>/dev/null; systemctl stop ${units} 2>/dev/null`,
        `cd /etc/systemd/system && rm -rf ${units} ${units.replaceAll('.service', '.service.d')}; systemctl daemon-reload; systemctl reset-failed ${units} 2>/dev/null`,
      );
    if (hasAccounts(spec))
      lines.push(`userdel ${accountName(id)} 2>/dev/null; groupdel ${accountName(id)} 2>/dev/null`);
    if (hasPackages(spec)) lines.push(`dpkg --purge ${packageName('b')} ${packageName('a')} >/dev/null 2>&1`);
    if (lines.length > 0) await this.lab.exec(this.host, ['sh', '-c', lines.join('\n')]);
  }

  private place(item: StartItem, id: string) {
    if (!('at' in item)) return;
    const path = `${this.root}${rootOf(item.at.view, id)}/${item.at.rel}`;
    try {
      mkdirSync(dirname(path), { recursive: true });
      if (item.is === 'link') return symlinkSync(item.to, path);
      if (item.is === 'dir') mkdirSync(path, { recursive: true });
      else writeFileSync(path, item.text, { flag: 'wx' });
      const uid = item.owner === 'root' ? 0 : 1;
      lchownSync(path, uid, uid);
      chmodSync(path, item.mode);
    } catch (error) {
      if (!taken.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }

  private walk(path: string, names: Names, found: Files) {
    const stat = lstatSync(this.root + path, { bigint: true, throwIfNoEntry: false });
    if (!stat) return;
    const kind = stat.isDirectory() ? 'directory' : stat.isSymbolicLink() ? 'link' : 'file';
    found.set(path, {
      kind,
      mode: Number(stat.mode) & 0o7777,
      owner: names.users.get(Number(stat.uid)) ?? String(stat.uid),
      group: names.groups.get(Number(stat.gid)) ?? String(stat.gid),
      stamp: stat.ctimeNs,
      ...(kind === 'file' ? { text: this.read(path) } : {}),
      ...(kind === 'link' ? { target: readlinkSync(this.root + path) } : {}),
    });
    if (kind === 'directory')
      for (const name of readdirSync(this.root + path)) this.walk(`${path}/${name}`, names, found);
  }

  /** What kpush keeps in /run goes away by itself, perhaps just now. */
  private read(path: string): string {
    try {
      return readFileSync(this.root + path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return '';
    }
  }

  private names(): Names {
    return { users: this.ids('passwd'), groups: this.ids('group') };
  }

  private ids(file: string): Map<number, string> {
    const lines = readFileSync(`${this.root}/etc/${file}`, 'utf8').split('\n').filter(Boolean);
    return new Map(lines.map((line) => line.split(':')).map((fields) => [Number(fields[2]), fields[0]!]));
  }
}

/** The lock of the case before goes with its shell, soon after the run. */
async function waitUntil(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 600) throw new Error('the lock of the last run is still there after 30 s');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface Names {
  users: Map<number, string>;
  groups: Map<number, string>;
}

/** Something else stands there, or above it. */
const taken = new Set(['EEXIST', 'ENOTDIR', 'ENOENT', 'EISDIR']);

export function hasPackages(spec: Case): boolean {
  return flatten(spec.tasks).some(({ act }) => act.do === 'package') || spec.start.some(({ is }) => is === 'package');
}

export function hasUnits(spec: Case): boolean {
  const acts = [...flatten(spec.tasks), ...spec.handlers].map(({ act }) => act.do);
  return (
    acts.includes('unit') ||
    acts.includes('keep') ||
    acts.includes('service') ||
    spec.start.some(({ is }) => is === 'unit')
  );
}

export function hasAccounts(spec: Case): boolean {
  const acts = [...flatten(spec.tasks), ...spec.handlers].map(({ act }) => act.do);
  return (
    acts.includes('user') || acts.includes('group') || spec.start.some(({ is }) => is === 'user' || is === 'group')
  );
}

function startLines(item: StartItem, id: string): string[] {
  const name = accountName(id);
  if (item.is === 'user') return [`id -u ${name} >/dev/null 2>&1 || useradd --no-create-home -g nogroup ${name}`];
  if (item.is === 'group') return [`getent group ${name} >/dev/null || groupadd ${name}`];
  if (item.is === 'package')
    return [`DEBIAN_FRONTEND=noninteractive apt-get -qq install ${packageName(item.name)} >/dev/null`];
  if (item.is !== 'unit') return [];
  const unit = unitName(item.unit, id);
  return [
    `printf %s '${unitText(item.kind)}' >/etc/systemd/system/${unit}`,
    'systemctl daemon-reload',
    ...(item.running ? [`systemctl start ${unit}`] : []),
    ...(item.enabled ? [`systemctl enable -q ${unit}`] : []),
  ];
}

/** kp-b needs kp-a; the index is written by hand, for hosts have no tool for it. */
const preparation = `
mkdir -p /srv/kp/pool /srv/kp/repo /srv/kp/build
for text in one two x=1; do echo $text >/srv/kp/pool/$text; done
cd /srv/kp/build
: >/srv/kp/repo/Packages
for name in a b; do
  mkdir -p $name/DEBIAN $name/usr/share/kp-$name
  echo of $name >$name/usr/share/kp-$name/text
  { printf 'Package: kp-%s\\nVersion: 1.0\\nArchitecture: all\\nMaintainer: tests <tests@example.org>\\n' $name
    [ $name = a ] || echo 'Depends: kp-a'
    printf 'Description: for tests\\n'; } >$name/DEBIAN/control
  deb=kp-$name.deb
  dpkg-deb --root-owner-group -b $name /srv/kp/repo/$deb >/dev/null
  cat $name/DEBIAN/control >>/srv/kp/repo/Packages
  printf 'Filename: ./%s\\nSize: %s\\nSHA256: %s\\n\\n' $deb $(stat -c %s /srv/kp/repo/$deb) \
    $(sha256sum /srv/kp/repo/$deb | cut -d' ' -f1) >>/srv/kp/repo/Packages
done
echo 'deb [trusted=yes] file:/srv/kp/repo ./' >/etc/apt/sources.list.d/kp.list
apt-get -qq update -o Dir::Etc::sourcelist=sources.list.d/kp.list -o Dir::Etc::sourceparts=-
`;
