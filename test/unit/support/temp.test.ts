import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../support/harness.ts';
import { makeTempRoot, sweepTempRoots, tempFolder } from '../../support/temp.ts';

const temp = suite('temporary folders of tests');

temp('are made below the root of the worker, which the runner removes', () => {
  const { root, remove } = makeTempRoot();
  mkdirSync(join(root, 'left', 'behind'), { recursive: true });
  assert.is(statSync(root).mode & 0o1777, 0o1777);
  remove();
  assert.not(existsSync(root));
  assert.is(dirname(tempFolder('one')), process.env.TMPDIR);
});

temp('a root of a runner that was killed goes when the next one starts; that of a living one stays', () => {
  const parent = tempFolder('sweep');
  const dead = spawnSync(process.execPath, ['-e', 'console.log(process.pid)'], { encoding: 'utf8' }).stdout.trim();
  const [left, used, other] = [`kpush-test-${dead}-x`, `kpush-test-${process.pid}-x`, 'kpush-cli-y'].map((name) =>
    join(parent, name),
  ) as [string, string, string];
  for (const dir of [left, used, other]) mkdirSync(join(dir, 'below'), { recursive: true });
  sweepTempRoots(parent);
  assert.equal([left, used, other].map(existsSync), [false, true, true]);
});

temp('no test makes them another way, which would leave them behind when it is killed', () => {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const others = files.filter((file) => !['support/temp.ts', 'lab-kit/base.ts'].includes(file));
  const wrong = others.filter((file) => /\bmkdtemp(Sync)?\(/.test(readFileSync(join('test', file), 'utf8')));
  assert.ok(files.length > 100);
  assert.equal(wrong, []);
});

temp.run();
