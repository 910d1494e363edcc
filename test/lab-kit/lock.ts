import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { LabError } from './errors.ts';

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
