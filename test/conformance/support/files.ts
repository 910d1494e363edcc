import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FileEntry, Lab, LabHost } from '../../lab-kit/index.ts';

/** What the tools themselves, or the moment, leave behind: not the playbook's doing. */
const aside = [
  ...['/root/.ansible', '/root/.cache', '/tmp', '/var/tmp', '/var/cache', '/run', '/etc/.pwd.lock'],
  ...['/var/lib/systemd', '/var/lib/dpkg', '/var/lib/apt', '/var/log', '/usr/lib/python3', '/root/.bash_history'],
  ...['/etc/machine-id', '/etc/ssh', '/var/lib/dbus', '/var/lib/kpush', '/home/deploy', '/srv/web/__pycache__'],
  // Each host's own name and address; archives of what was made at another moment.
  ...['/etc/hosts', '/etc/hostname', '/etc/systemd/network', '/srv/pack.tar', '/srv/pack.tgz', '/root/.ansible_async'],
  // Listed in docs/differences.md: what Ansible leaves behind, or leaves as it was.
  ...['/etc/timezone', '/etc/machine-info', '/srv/known.old'],
];

/** What the disks of two hosts that began alike differ in, one line each. Times, and sizes of folders, are aside. */
export async function diskDifferences(lab: Lab, ours: LabHost, theirs: LabHost): Promise<string[]> {
  return differingFiles(await lab.snapshotFiles(ours), await lab.snapshotFiles(theirs));
}

/** The same of two snapshots. */
export function differingFiles(mine: Map<string, FileEntry>, other: Map<string, FileEntry>): string[] {
  const paths = [...new Set([...mine.keys(), ...other.keys()])].filter((path) => !isAside(path)).map(unrandom);
  const [left, right] = [byName(mine), byName(other)];
  return [...new Set(paths)].sort().flatMap((path) => {
    const [a, b] = [shown(left.get(path)), shown(right.get(path))];
    return a === b ? [] : [`${path}: ${a} here, ${b} there`];
  });
}

/** Each file below a folder of the controller, with what it holds. */
export function folderText(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return (readdirSync(folder, { recursive: true, encoding: 'utf8' }) as string[])
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => `${path}: ${readFileSync(join(folder, path), 'utf8')}`)
    .sort();
}

function isAside(path: string): boolean {
  return aside.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

function byName(files: Map<string, FileEntry>): Map<string, FileEntry> {
  return new Map([...files].map(([path, entry]) => [unrandom(path), entry]));
}

/** Backups are named after process and time. */
function unrandom(path: string): string {
  return path.replace(/\.\d+\.\d{4}-\d\d-\d\d@\d\d:\d\d:\d\d~$/, '.BACKUP');
}

function shown(entry: FileEntry | undefined): string {
  if (!entry) return 'nothing';
  const { type, mode, uid, gid, sha256, target } = entry;
  const leads = target?.replace(/^\.\.(?=\/usr\/share\/zoneinfo\/)/, '') ?? '';
  return [type, type === 'symlink' ? '' : mode.toString(8), uid, gid, sha256 ?? '', leads].join(' ');
}
