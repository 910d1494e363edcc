import { spawnSync } from 'node:child_process';
import type { Answer, FactFamily, FactKey } from '../../../src/core/facts.ts';

/** The shells a family's text must run in alike. */
export const shells: Record<string, string[]> = {
  dash: ['dash'],
  bash: ['bash', '--posix'],
  ash: ['busybox', 'sh'],
};

const mark = '\n0f1e2d3c4b5a69788796a5b4c3d2e1f0\n';

/** What a shell prints for these keys, one record a key, as latin1; throws when the count is wrong or stderr speaks. */
export function ask(shell: string[], family: FactFamily<never>, keys: readonly FactKey[], env = {}): string[] {
  const script = `set -u\nkp_rs='${mark}'\nkp_sep() { printf %s "$kp_rs"; }\n${family.library?.() ?? ''}\n${family.script(keys)}`;
  const run = spawnSync(shell[0]!, [...shell.slice(1), '-s'], {
    input: Buffer.from(script),
    env: { PATH: process.env.PATH, HOME: '/root', LC_ALL: 'C', LANGUAGE: '', ...env },
    encoding: 'latin1',
    maxBuffer: 1 << 26,
  });
  if (run.stdout.includes('\0')) throw new Error('a record holds a NUL, which a shell variable loses');
  const records = run.stdout.split(mark);
  if (run.stderr !== '' || records.pop() !== '' || records.length !== keys.length)
    throw new Error(
      `${records.length} records for ${keys.length} keys, rc ${run.status}\n${run.stderr}\n${run.stdout}`,
    );
  return records;
}

/** The same, understood. */
export function answers<T>(shell: string[], family: FactFamily<T>, keys: readonly FactKey[], env = {}): Answer<T>[] {
  const records = ask(shell, family as unknown as FactFamily<never>, keys, env);
  return records.map((record, index) => family.parse(record, keys[index]!));
}
