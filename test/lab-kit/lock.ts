import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LabError } from './errors.ts';
import { cacheRoot } from './paths.ts';

/**
 * Runs `body` while no other process holds the lock on `file`. The kernel lock is held by a `flock` child that lives
 * as long as its standard input, so a killed owner leaves no stale lock behind. `onWait` is called once after 2 s.
 */
export async function withLock<T>(file: string, body: () => Promise<T>, onWait: () => void = () => {}): Promise<T> {
  mkdirSync(dirname(file), { recursive: true });
  const holder = spawn('flock', ['--exclusive', file, 'sh', '-c', 'echo held; cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = setTimeout(onWait, 2000);
  try {
    await new Promise<void>((resolve, reject) => {
      holder.stdout.once('data', () => resolve());
      holder.on('error', (error) => reject(new LabError(`cannot run flock: ${error.message}`)));
      holder.on('exit', (code) => reject(new LabError(`cannot lock ${file} (flock: exit ${code})`)));
    });
    clearTimeout(waiting);
    return await body();
  } finally {
    clearTimeout(waiting);
    holder.stdin.end();
  }
}

/**
 * The lock file for a name, one of 256 per kind: lock files cannot be deleted without a race, and labs with random ids
 * would leave one each.
 */
export function lockFile(kind: 'lab' | 'shared', name: string): string {
  const bucket = createHash('sha256').update(name).digest('hex').slice(0, 2);
  return join(cacheRoot(), 'locks', `${kind}-${bucket}`);
}
