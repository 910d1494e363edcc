import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { listRuns, readJournal } from '../../src/report/journal-read.ts';
import { suite } from '../support/harness.ts';
import { tempFolder } from '../support/temp.ts';
import { kpush } from './support/program.ts';

const streams = suite('streams, colours, exit codes', { timeout: 30_000 });
const sequence = /\x1b/;

streams('a plan is on stdout, and nothing else is', async () => {
  const { out, err, exit } = await kpush('plan', ['plan']);
  assert.match(out, /^Plan of playbooks\/site\.yml[\s\S]*warning: group[\s\S]*1 host unreachable\n$/);
  assert.equal([err, exit], ['', 4]);
});

streams('a saved plan is told with how it is applied, and that it defers something', async () => {
  const { err } = await kpush('plan', ['plan', '-o', 'plan.json']);
  assert.is(
    err,
    'The plan is saved in plan.json: kpush apply plan.json; with --allow-deferred also what it could only defer\n',
  );
  const sure = await kpush('empty', ['plan', '-o', 'plan.json']);
  assert.is(sure.err, 'The plan is saved in plan.json: kpush apply plan.json\n');
});

streams('with -v the log of a plan is on stderr', async () => {
  const { out, err } = await kpush('plan', ['plan', '-v']);
  assert.match(err, /h1: changed {2}Say hello/);
  assert.match(out, /^Plan of /);
});

streams('plan --output json is one document', async () => {
  const { out } = await kpush('plan', ['plan', '--output', 'json']);
  const document = JSON.parse(out);
  assert.equal([document.schema, document.kind, document.exit, document.waves.length], [1, 'plan', 4, 2]);
  assert.not.match(out, /new secret/);
});

streams('a run whose output cannot be written goes on to its end, and says so once', async () => {
  const { err, exit, dir } = await kpush('failing', ['apply', '--yes', '--summary-file', 's.json'], {
    into: '/dev/full',
  });
  assert.is(err.match(/^error: the output cannot be written, the rest of it is lost: ENOSPC/gm)?.length, 1, err);
  const { ok, class: word } = JSON.parse(readFileSync(join(dir, 's.json'), 'utf8'));
  assert.equal([ok, exit !== 0, word !== 'internal'], [false, true, true], word);
});

streams('--detailed-exitcode of a plan without changes is 0', async () =>
  assert.is((await kpush('empty', ['plan', '--detailed-exitcode'])).exit, 0),
);
streams('--detailed-exitcode of a plan with changes is 2', async () =>
  assert.is((await kpush('ask', ['plan', '--detailed-exitcode'])).exit, 2),
);

streams('apply --output json is a line an event', async () => {
  const { out, err } = await kpush('failing', ['apply', '--output', 'json']);
  const types = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).type);
  assert.equal([types[0], types.at(-1), err], ['run-start', 'run-end', '']);
});

streams('stdout that is closed ends quietly, the exit code stays', async () => {
  const args = ['apply', '-vvv', '--summary-file', 's.json'];
  const { out, err, dir } = await kpush('failing', args, { pipe: 'head -1' });
  assert.equal([out.trim().split('\n').length, err.replace(/^warning.*\n/, '')], [1, '']);
  assert.is(JSON.parse(readFileSync(join(dir, 's.json'), 'utf8')).class, 'unreachable');
});

streams('no terminal: no escape sequence', async () => {
  for (const args of [['plan'], ['apply'], ['runs'], ['apply', '--output', 'pretty']]) {
    const { out, err } = await kpush('failing', args);
    assert.not.match(out + err, sequence, args.join(' '));
  }
});

const colours: [string, Record<string, string>, string[], boolean][] = [
  ['FORCE_COLOR colours a pipe', { FORCE_COLOR: '1' }, [], true],
  ['FORCE_COLOR=0 does not', { FORCE_COLOR: '0' }, [], false],
  ['NO_COLOR wins over FORCE_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, [], false],
  ['an empty NO_COLOR says nothing', { FORCE_COLOR: '1', NO_COLOR: '' }, [], true],
  ['--no-color wins over FORCE_COLOR', { FORCE_COLOR: '1' }, ['--no-color'], false],
];
for (const [name, env, args, wanted] of colours)
  streams(name, async () => assert.is(sequence.test((await kpush('plan', ['plan', ...args], { env })).out), wanted));

streams('GitHub Actions get groups, GitLab sections', async () => {
  const github = await kpush('failing', ['apply'], { env: { CI: 'true', GITHUB_ACTIONS: 'true' } });
  assert.match(github.out, /^::group::Wave 1 of 2: Prepare nodes$/m);
  const gitlab = await kpush('failing', ['apply'], { env: { CI: 'true', GITLAB_CI: 'true' } });
  assert.match(gitlab.out, /section_start:\d+:wave_1\r/);
});

streams('bad input: each error with its hint, exit 1, no record', async () => {
  const { out, err, exit, dir } = await kpush('input', ['apply', 'site.yml']);
  assert.is(
    err,
    'error: site.yml:2:5: unknown keyword `taks`\n  did you mean: tasks\nerror: no hosts\n  hint: add hosts:\n',
  );
  assert.equal([out, exit, existsSync(join(dir, '.kpush'))], ['', 1, false]);
});

streams('an error met in the middle is shown with its line', async () => {
  const dir = tempFolder('frame');
  writeFileSync(join(dir, 'site.yml'), '- hosts: all\n  import_tasks: a.yml\n');
  for (const verb of ['apply', 'plan']) {
    const { out, err, exit } = await kpush('middle', [verb, 'site.yml'], { dir });
    const frame = '  2 |   import_tasks: a.yml\n    |   ^\n';
    const end = verb === 'plan' ? 'no plan is shown: it ended at the error, and would be incomplete\n' : '';
    assert.is(err, `error: site.yml:2:3: no a.yml\n${frame}  expected: a file\n  did you mean: b.yml\n${end}`);
    assert.equal([exit, out.includes('nothing to change'), verb === 'plan' && out !== ''], [1, false, false]);
  }
});

streams('a fault of kpush says so and exits 1', async () => {
  const { err, exit } = await kpush('fault', ['apply']);
  assert.match(err, /error: x is not a function\n {2}hint: this is a fault in kpush[\s\S]*\n {4}at /);
  assert.is(exit, 1);
});

streams('exec prints what hosts print, each on its stream', async () => {
  const { out, err, exit } = await kpush('exec', ['exec', 'all', '--', 'c']);
  assert.equal([out, err, exit], ['h1: up 3 days\nh1: red\n', 'h2: oh no\nh2: exit code 3\n', 2]);
});

streams('ping tells who answers, and why one does not', async () => {
  const { out, err, exit } = await kpush('ping', ['ping']);
  assert.is(out, '✔ h1  answers, connected in 40 ms\n1 of 2 hosts answer\n');
  assert.equal([err, exit], ['h2: UNREACHABLE: no key was accepted\nh2: try: tried: a.key\n', 4]);
});

streams('facts are one JSON object', async () => {
  const { out } = await kpush('facts', ['facts', '--output', 'pretty']);
  assert.equal(JSON.parse(out), { h1: { ansible_os_family: 'Debian' } });
});

streams('a run is recorded; runs and logs show it', async () => {
  const { dir } = await kpush('failing', ['apply']);
  const runs = await kpush('', ['runs'], { dir });
  assert.match(runs.out, /^\d{8}-\d{6}-\w+ {2}apply {2}playbooks\/site\.yml {2}4 hosts {2}unreachable \(exit code 4\)/);
  const logs = await kpush('', ['logs', 'latest', 'h1', '-f'], { dir });
  assert.match(logs.out, /h1: changed {2}Install etcd/);
  assert.match(logs.out, /^\d\d:\d\d:\d\d h1 \| Unpacking etcd done$/m);
  assert.not.match(logs.out, /h2:|\x1b|\x07/);
  const stranger = await kpush('', ['logs', 'latest', 'host1'], { dir });
  assert.match(stranger.err, /host1 had no part in run/);
  assert.is(stranger.exit, 1);
  assert.is(JSON.parse((await kpush('', ['runs', '--json'], { dir })).out)[0].class, 'unreachable');
});

streams('the record of a run is printed without control characters, to a pipe as to a terminal', async () => {
  const { dir } = await kpush('failing', ['apply']);
  const { out, exit } = await kpush('', ['logs'], { dir });
  assert.match(out, /Unpacking etcd done/);
  assert.not.match(out, /[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  assert.is(exit, 0);
  const shown = await kpush('', ['logs'], { dir, terminal: [80, 24] });
  assert.not.match(shown.out.replaceAll(/\x1b\[\d+m|\r\n/g, ''), /[\x00-\x1f\x7f-\x9f]/);
});

streams('looking leaves no record', async () => {
  for (const args of [['ping'], ['facts'], ['apply', '--list-hosts'], ['apply', '--syntax-check']]) {
    const { dir } = await kpush('failing', args);
    assert.equal(readdirSync(dir), [], args.join(' '));
  }
});

streams('the summary file is written whole, a bad place for it is an error', async () => {
  const { dir } = await kpush('empty', ['apply', '--summary-file', 'out.json']);
  assert.is(JSON.parse(readFileSync(join(dir, 'out.json'), 'utf8')).ok, true);
  assert.equal(readdirSync(dir).sort(), ['.kpush', 'out.json']);
  const bad = await kpush('empty', ['apply', '--summary-file', 'no/such/out.json']);
  assert.match(bad.err, /the summary file was not written: ENOENT/);
  assert.is(bad.exit, 1);
});

streams('a secret is nowhere, on screen or on disk', async () => {
  const { out, err, dir } = await kpush('secret', ['apply', '-vvvv', '-e', 'p=hunter2hunter2', '--summary-file', 's']);
  const checked = await kpush('secret', ['apply', '--check', '-e', 'p=hunter2hunter2']);
  const [run] = listRuns(join(dir, '.kpush'));
  const kept = JSON.stringify(readJournal(run?.dir ?? '').events);
  assert.not.match(out + err + kept, /hunter2/);
  assert.match(out, /it was \*\*\*/);
  assert.match(checked.out, /-e 'p=\*\*\*'|-e p=\*\*\*/);
  assert.not.match(checked.out + checked.err, /hunter2/);
  assert.is(statSync(run?.dir ?? '').mode & 0o777, 0o700);
});

streams.run();
