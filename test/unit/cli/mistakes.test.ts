import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import * as assert from 'uvu/assert';
import { cli } from '../../../src/cli/cli.ts';
import type { Io, Terminal } from '../../../src/cli/io.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';

const mistakes = suite('mistakes at the command line', { timeout: 60_000 });
const dir = tempFolder('mistakes');
const [site, inventory] = [join(dir, 'site.yml'), join(dir, 'inventory.yaml')];
writeFileSync(site, '- hosts: web\n  gather_facts: false\n  tasks:\n    - debug: {msg: hi}\n      tags: greeting\n');
writeFileSync(inventory, 'web: {hosts: {web1: {ansible_connection: local}}}\n');

/** What is typed, and what is said of it; nothing is connected, exit 1. */
const wrong: [string[], RegExp][] = [
  [['plan', site], /no inventory was named[\s\S]*name one with -i/],
  [['plan', '-i', inventory, join(dir, 'sit.yml')], /there is no file \S*sit\.yml\n {2}did you mean: \S*site\.yml/],
  [['plan', '-i', join(dir, 'inventry.yaml'), site], /there is no inventory/],
  [['plan', '-i', inventory, site, '-l', 'wbe'], /--limit 'wbe' matches no host\n {2}did you mean: web/],
  [
    ['plan', '-i', inventory, site, '-o', join(dir, 'no/plan.json')],
    /the plan cannot be saved in .*: there is no folder/,
  ],
  [['plan', '-i', inventory, site, '-f', '0'], /It must be a whole number above 0/],
  [['plan', '-i', inventory, site, '-e', '{a'], /-e:1:3/],
  [['lint', join(dir, 'ste.yml')], /there is no ste\.yml in .*\n {2}did you mean: site\.yml/],
  [['plan', '-i', inventory, dir], /is a folder\n {2}expected: a file/],
  [['init', '/proc/x'], /cannot write \/proc\/x: no such file or directory/],
  [['aply'], /unknown command 'aply'\n\(Did you mean apply\?\)/],
  [['apply', '--tag', 'x'], /--tags/],
  [['logs', 'nope'], /no (run is called nope|runs are recorded)/],
  [['doc', 'cpoy'], /did you mean: copy/],
  [['explain', '-i', inventory, 'web1', 'ansible_conection'], /did you mean: ansible_connection/],
];

for (const [argv, said] of wrong)
  mistakes(argv.map((word) => word.replace(`${dir}/`, '')).join(' '), async () => {
    const { err, out, exit } = await typed(argv);
    assert.match(err, said);
    assert.equal([out, exit], ['', 1]);
    assert.not.match(err, /\n {4}at |undefined|\[object/);
  });

mistakes('a tag that nothing has is a warning, with the nearest there is', async () => {
  const { out, err, exit } = await typed(['plan', '-i', inventory, site, '-t', 'greting,never', '--output', 'plain']);
  assert.match(out + err, /warning: nothing has the tag 'greting'/);
  assert.not.match(out + err, /'never'/);
  assert.is(exit, 0);
  const same = await typed(['plan', '-i', inventory, site, '-t', 'greeting', '--output', 'plain']);
  assert.not.match(same.out + same.err, /warning/);
});

mistakes.run();

async function typed(argv: string[]) {
  const [stdout, stderr] = [sink(), sink()];
  const { stdin } = process;
  const loadRun = async () => (await import('../../../src/kpush.ts')).run;
  const io: Io = {
    env: { NO_COLOR: '1' },
    cwd: dir,
    stdin,
    ...{ stdout: stdout.stream, stderr: stderr.stream },
    loadRun,
  };
  const exit = await cli(argv, io, 'kpush');
  return { out: stdout.text(), err: stderr.text(), exit };
}

function sink() {
  const stream = new PassThrough();
  let text = '';
  stream.on('data', (data) => (text += data));
  return { stream: stream as unknown as Terminal, text: () => text };
}
