import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const rootPrefix = 'kpush-test-';
const given = 'KPUSH_TEST_TEMP';

/**
 * A fresh folder below this worker's root, which goes when the worker has ended, however it ended: the runner removes
 * it. A test file that runs without the runner removes it as the process exits.
 */
export function tempFolder(name: string): string {
  useTempRoot();
  return mkdtempSync(join(tmpdir(), `kpush-${name}-`));
}

/** Points TMPDIR, and so also what the product and programs it starts make, to the root of this worker. */
export function useTempRoot(): void {
  if (process.env.TMPDIR && process.env.TMPDIR === process.env[given]) return;
  const root = process.env[given] ?? ownRoot();
  process.env[given] = root;
  process.env.TMPDIR = root;
}

/** Makes a root for a worker; `remove` may be called at any time after it ended. */
export function makeTempRoot(): { root: string; env: Record<string, string>; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), `${rootPrefix}${process.pid}-`));
  chmodSync(root, 0o1777); // as /tmp: some tests drop their privileges
  return { root, env: { [given]: root }, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Removes the roots of runners that were killed before they could. */
export function sweepTempRoots(parent = tmpdir()): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(new RegExp(`^${rootPrefix}(\\d+)-`).exec(name)?.[1]);
    if (pid && !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function ownRoot(): string {
  const { root, remove } = makeTempRoot();
  process.on('exit', remove);
  return root;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
