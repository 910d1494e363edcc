import { spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { suite } from '../../support/harness.ts';

const test = suite('a run that waits for ever');
const stuck = `import { failWhenStuck } from './src/cli/stuck.ts';
failWhenStuck(process, (text) => process.stderr.write(text));
`;

test('ends as an error when nothing is left to wait for', () => {
  const { status, stderr } = run(`${stuck}void new Promise(() => {}).then(() => process.exit(0));`);
  assert.is(status, 1);
  assert.is(stderr, 'kpush: internal error: the run has not ended, and nothing is left that it could wait for\n');
});

test('one that ends itself keeps its exit code', () => {
  const { status, stderr } = run(`${stuck}void Promise.resolve(4).then((code) => process.exit(code));`);
  assert.equal([status, stderr], [4, '']);
});

test.run();

function run(script: string) {
  return spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], { encoding: 'utf8' });
}
