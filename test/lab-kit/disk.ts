import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LabError } from './errors.ts';
import { until } from './proc.ts';
import { must, run } from './shell.ts';
import { type HostRecord, hostPaths, type LabRecord, readJson, writeJson } from './store.ts';

/** Folders bound into the host over its overlay: container storage cannot lie on an overlay itself. */
export const boundFolders = ['docker', 'containerd', 'kubelet'];

/** Gives the host an empty disk over its base, or over `layers` of a snapshot (top first). Not mounted yet. */
export async function freshDisk(lab: LabRecord, host: HostRecord, layers: string[] = []): Promise<void> {
  const { disk, root, layers: layersFile } = hostPaths(lab, host);
  await discardDisk(lab, host);
  mkdirSync(root, { recursive: true });
  for (const part of ['upper', 'work', ...boundFolders]) mkdirSync(join(disk, part), { recursive: true, mode: 0o755 });
  writeJson(layersFile, layers);
}

/** Mounts the host's root file system on this machine, unless it is. */
export async function mountRoot(lab: LabRecord, host: HostRecord): Promise<void> {
  const { disk, root, layers } = hostPaths(lab, host);
  if (isMounted(root)) return;
  const lowers = [...readJson<string[]>(layers, []), ...host.base].join(':');
  // redirect_dir: without it renaming a folder of the base fails with EXDEV, which no real disk does.
  const options = `lowerdir=${lowers},upperdir=${join(disk, 'upper')},workdir=${join(disk, 'work')},redirect_dir=on`;
  await must('mount', ['-t', 'overlay', `lab-${lab.id}-${host.name}`, '-o', options, root]);
}

export async function unmountRoot(lab: LabRecord, host: HostRecord): Promise<void> {
  await unmountBelow(hostPaths(lab, host).root);
}

/** Unmounts and deletes the host's disk. */
export async function discardDisk(lab: LabRecord, host: HostRecord): Promise<void> {
  await unmountRoot(lab, host);
  await deleteTree(hostPaths(lab, host).disk);
}

/** Deletes a folder of the lab, immutable files too; never what is mounted in it. */
export async function deleteTree(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  await unmountBelow(folder);
  const remove = () => run('rm', ['-rf', '--one-file-system', '--', folder]);
  if ((await remove()).code === 0) return;
  await run('chattr', ['-R', '-f', '-i', '-a', '--', folder]);
  const { code, stderr } = await remove();
  if (code !== 0) throw new LabError(`cannot delete ${folder}`, stderr);
}

async function unmountBelow(folder: string) {
  for (const point of mountsBelow(folder).reverse()) {
    // The mount namespace of a host that was just killed lets go of its file system a moment later.
    let stderr = '';
    const free = async () => {
      const done = await run('umount', [point]);
      stderr = done.stderr;
      return done.code === 0 || !isMounted(point);
    };
    if (!(await until(free, 5000, 50))) throw new LabError(`cannot unmount ${point}`, stderr);
  }
}

function isMounted(point: string): boolean {
  return mountsBelow(point).includes(point);
}

function mountsBelow(folder: string): string[] {
  const points = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) =>
      (line.split(' ')[4] ?? '').replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8))),
    );
  return points.filter((point) => point === folder || point.startsWith(`${folder}/`));
}
