import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { isSymbolic, modeText, resolveMode } from '../../../src/core/mode.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';

const t = suite('file modes');

t('octal text and numbers are the bits themselves', () => {
  const target = { current: 0, directory: false };
  assert.is(resolveMode('0644', target), 0o644);
  assert.is(resolveMode('644', target), 0o644);
  assert.is(resolveMode('0o750', target), 0o750);
  assert.is(resolveMode(420, target), 0o644);
  assert.is(modeText(0o44), '0044');
  assert.ok(isSymbolic('u=rw') && !isSymbolic('0755') && !isSymbolic(493));
});

const who = fc.array(fc.constantFrom('u', 'g', 'o', 'a'), { maxLength: 2 }).map((letters) => letters.join(''));
const permissions = fc.oneof(
  fc.array(fc.constantFrom('r', 'w', 'x', 'X', 's', 't'), { maxLength: 4 }).map((letters) => letters.join('')),
  fc.constantFrom('u', 'g', 'o'),
);
const action = fc.tuple(fc.constantFrom('+', '-', '='), permissions).map((parts) => parts.join(''));
const clause = fc.tuple(who, fc.array(action, { minLength: 1, maxLength: 2 })).map(([w, a]) => w + a.join(''));
const symbolic = fc.array(clause, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(','));
const sample = fc.record({ mode: symbolic, current: fc.integer({ min: 0, max: 0o7777 }), directory: fc.boolean() });

t(
  'symbolic modes do what chmod does',
  () => {
    const samples = fc.sample(sample, { numRuns: 400, seed: 7 });
    const real = chmodAll(samples);
    samples.forEach(({ mode, current, directory }, i) => {
      const mine = resolveMode(mode, { current, directory, umask: 0o022 });
      assert.is(
        modeText(mine),
        modeText(real[i]!),
        `${mode} on ${modeText(current)} ${directory ? 'directory' : 'file'}`,
      );
    });
  },
  { timeout: 30_000 },
);
t.run();

/** The modes that the system's chmod gives, all by one shell. */
function chmodAll(samples: { mode: string; current: number; directory: boolean }[]): number[] {
  const root = tempFolder('mode');
  try {
    const paths = samples.map(({ current, directory }, i) => {
      const path = join(root, String(i));
      if (directory) mkdirSync(path);
      else writeFileSync(path, '');
      chmodSync(path, current);
      return path;
    });
    const script = samples.map(({ mode }, i) => `chmod -- ${mode} ${paths[i]}`).join('\n');
    const done = spawnSync('sh', ['-e'], { input: `umask 022\n${script}\n`, encoding: 'utf8' });
    assert.is(done.status, 0, done.stderr);
    return paths.map((path) => statSync(path).mode & 0o7777);
  } finally {
    rmSync(root, { recursive: true });
  }
}
