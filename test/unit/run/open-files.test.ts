import { spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { requireOpenFiles } from '../../../src/run/open-files.ts';
import { suite } from '../../support/harness.ts';

const test = suite('open files');

test('more hosts than this process may open files are refused, with the way out', () => {
  requireOpenFiles(1000, 1032);
  assert.throws(
    () => requireOpenFiles(1000, 1031),
    (error: { message: string; facts: { hint?: string } }) =>
      error.message === '1000 hosts need 1032 open files or more, but this process may have 1031' &&
      error.facts.hint === 'raise the limit (ulimit -n 4096), or take fewer hosts at a time with --limit',
  );
});

test('the limit is that of the process', () => {
  const script = "import('./src/run/open-files.ts').then(({ requireOpenFiles }) => requireOpenFiles(100));";
  const under = (limit: number) => {
    const line = `ulimit -n ${limit}; exec "$0" --import tsx -e "$1"`;
    return spawnSync('sh', ['-c', line, process.execPath, script], { encoding: 'utf8' });
  };
  assert.is(under(4096).status, 0);
  assert.match(under(100).stderr, 'this process may have 100');
});

test.run();
