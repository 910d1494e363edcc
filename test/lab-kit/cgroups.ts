import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LabError } from './errors.ts';
import { readOr, until } from './proc.ts';

/**
 * Makes a cgroup for one host in every hierarchy, below this process's own, and returns their folders. Without one of
 * its own a host would share a cgroup with the others, and each systemd would count the processes of all.
 */
export function makeCgroups(name: string): string[] {
  return ownCgroups().map((parent) => {
    const folder = join(parent, `kpush-lab-${name}`);
    mkdirSync(folder, { recursive: true });
    // A fresh cpuset has no CPU and no memory node: nothing could run in it.
    for (const file of ['cpuset.cpus', 'cpuset.mems'])
      if (existsSync(join(folder, 'cgroup.clone_children')) && existsSync(join(folder, file)))
        writeFileSync(join(folder, file), readFileSync(join(parent, file)));
    if (existsSync(join(folder, 'cpuset.cpus')) && existsSync(join(folder, 'cgroup.clone_children')))
      writeFileSync(join(folder, 'cgroup.clone_children'), '1');
    return folder;
  });
}

/** Removes the cgroups once their processes are gone; LabError when some stay for 5 s. */
export async function removeCgroups(folders: string[]): Promise<void> {
  for (const folder of folders)
    if (!(await until(() => removeTree(folder), 5000)))
      throw new LabError(`cgroup ${folder} still has processes`, membersOf(folder).join(' '));
}

/** Every process in a cgroup and below it. */
export function membersOf(folder: string): number[] {
  const own = (readOr(join(folder, 'cgroup.procs')) ?? '').split('\n').filter(Boolean).map(Number);
  return [...own, ...foldersIn(folder).flatMap(membersOf)];
}

/** The file that stops and continues all processes of a cgroup, in whichever hierarchy has a freezer. */
export function freezerOf(folders: string[]): { file: string; frozen: string; thawed: string } | undefined {
  const switches = folders.flatMap((folder) => [
    { file: join(folder, 'freezer.state'), frozen: 'FROZEN', thawed: 'THAWED' },
    { file: join(folder, 'cgroup.freeze'), frozen: '1', thawed: '0' },
  ]);
  return switches.find(({ file }) => existsSync(file));
}

function ownCgroups(): string[] {
  const mounts = cgroupMounts();
  return readFileSync('/proc/self/cgroup', 'utf8')
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => {
      const [, controllers, ...path] = line.split(':');
      const mount = mounts.get(controllers!.split(',')[0]!);
      return mount ? [join(mount, path.join(':'))] : [];
    });
}

/** Where each hierarchy is mounted, by controller name; the unified one has the empty name. */
function cgroupMounts(): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of readFileSync('/proc/self/mountinfo', 'utf8').split('\n')) {
    const [left, right] = line.split(' - ');
    const point = left?.split(' ')[4];
    const [type, , options] = right?.split(' ') ?? [];
    if (!point) continue;
    if (type === 'cgroup2') found.set('', point);
    if (type === 'cgroup') for (const option of options!.split(',')) found.set(option, point);
  }
  return found;
}

function removeTree(folder: string): boolean {
  if (!existsSync(folder)) return true;
  if (!foldersIn(folder).every(removeTree)) return false;
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return true;
    if (code === 'EBUSY' || code === 'ENOTEMPTY') return false;
    throw error;
  }
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [join(folder, entry.name)] : [],
  );
}
