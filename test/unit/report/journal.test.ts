import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, readlinkSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { RunEvent } from '../../../src/core/events.ts';
import { newRunId, openJournal } from '../../../src/report/journal.ts';
import { pruneRuns } from '../../../src/report/journal-prune.ts';
import { findRun, isRunning, listRuns, readJournal } from '../../../src/report/journal-read.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';
import { failing } from './support/runs.ts';

const journal = suite('journal');
const fail = (error: Error) => {
  throw error;
};

journal('what is written is read back', async () => {
  const { root, run } = place();
  const written = openJournal(root, run, fail);
  const { events } = failing();
  for (const event of events) written.add(event);
  await written.synced();
  assert.equal(readJournal(written.dir).events, JSON.parse(JSON.stringify(events)));
  written.close();
  assert.is(listRuns(root)[0]?.state, 'ended');
});

journal('files are for their owner alone, and not for git', () => {
  const { root, run } = place();
  const { dir, close } = openJournal(root, run, fail);
  close();
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  assert.equal([mode(dir), mode(join(dir, 'events.jsonl')), mode(join(dir, 'pid'))], ['700', '600', '600']);
  assert.is(readFileSync(join(root, '.gitignore'), 'utf8'), '*\n');
  assert.is(readlinkSync(join(root, 'runs', 'latest')), run);
});

journal('a run is opened once', () => {
  const { root, run } = place();
  openJournal(root, run, fail).close();
  assert.throws(() => openJournal(root, run, fail), /EEXIST/);
});

journal('a torn last line is left out and the rest is read', () => {
  const { root, run } = place();
  const written = openJournal(root, run, fail);
  const { events } = failing();
  for (const event of events) written.add(event);
  written.close();
  const file = join(written.dir, 'events.jsonl');
  truncateSync(file, statSync(file).size - 7);
  assert.equal(readJournal(written.dir).events.length, events.length - 1);
  assert.is(listRuns(root)[0]?.end, undefined);
  appendFileSync(file, '\nrubbish\n{"type":"late","time":1}\n');
  const again = readJournal(written.dir);
  assert.equal([again.events.at(-1)?.type, again.broken], ['late', 2]);
});

journal('reading goes on where it ended', () => {
  const { root, run } = place();
  const written = openJournal(root, run, fail);
  const { events } = failing();
  written.add(events[0] as RunEvent);
  const first = readJournal(written.dir);
  written.add({ ...events[0], time: 7 } as RunEvent);
  const second = readJournal(written.dir, first.next);
  assert.equal([first.events.length, second.events.length, second.events[0]?.time], [1, 1, 7]);
  written.close();
});

journal('a step that prints for ever takes bounded space, its beginning and end are kept', async () => {
  const { root, run } = place();
  const written = openJournal(root, run, fail);
  for (let i = 0; i < 5000; i++)
    written.add({
      type: 'step-output',
      time: i,
      host: 'h',
      key: 'k',
      stream: 'stdout',
      text: `line ${i} ${'x'.repeat(100)}\n`,
    });
  written.add({ type: 'step-end', time: 1, host: 'h', key: 'k', status: 'ok', rc: 0, ms: 1 });
  await written.synced();
  assert.ok(statSync(join(written.dir, 'events.jsonl')).size < 250_000);
  const text = readJournal(written.dir)
    .events.map((event) => (event.type === 'step-output' ? event.text : ''))
    .join('');
  assert.match(text, /^line 0 /);
  assert.match(text, /\[4\d\d\.\d KiB not kept\]/);
  assert.match(text, /line 4999 x+\n$/);
  written.close();
});

journal('a huge result is left out, the rest of the task stays', () => {
  const { root, run } = place();
  const written = openJournal(root, run, fail);
  const task = failing().events.find((event) => event.type === 'task');
  written.add({ ...task, result: 'x'.repeat(2_000_000) } as RunEvent);
  written.close();
  const [event] = readJournal(written.dir).events;
  assert.is(event?.type === 'task' && event.result, 'left out of the journal: too large');
});

journal('a process that was killed leaves a run that is cut off, milestones on disk', async () => {
  const { root, run } = place();
  const url = (name: string) => JSON.stringify(new URL(`../../../src/report/${name}`, import.meta.url).href);
  const script = `import { openJournal } from ${url('journal.ts')};
    const j = openJournal(${JSON.stringify(root)}, ${JSON.stringify(run)}, (e) => { throw e; });
    j.add({ type: 'run-start', time: 1, run: 'r', verb: 'apply', playbook: 'p', inventory: [], hosts: [], check: false });
    j.add({ type: 'step-start', time: 2, host: 'h', key: 'k', seq: 1, task: 't', name: 'n', title: 't' });
    process.send('ready'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await new Promise((ready) => child.once('message', ready));
  const [before] = listRuns(root);
  child.kill('SIGKILL');
  await new Promise((gone) => child.once('exit', gone));
  const [after] = listRuns(root);
  assert.equal([before?.state, after?.state], ['running', 'cut off']);
  assert.equal(
    readJournal(after?.dir ?? '').events.map((event) => event.type),
    ['run-start', 'step-start'],
  );
});

journal('a pid that was used again is not taken for the run', () => {
  const { root, run } = place();
  const { dir, close } = openJournal(root, run, fail);
  close();
  assert.ok(isRunning(dir));
  const told = JSON.parse(readFileSync(join(dir, 'pid'), 'utf8'));
  writeFileSync(join(dir, 'pid'), JSON.stringify({ ...told, start: '1' }));
  assert.not(isRunning(dir));
});

journal('a disk that is full is told once and ends nothing', () => {
  const { root, run } = place();
  const script = ['--import', 'tsx', '--input-type=module', '-e'];
  const url = JSON.stringify(new URL('../../../src/report/journal.ts', import.meta.url).href);
  const code = `import { openJournal } from ${url}; import { execSync } from 'node:child_process';
    const j = openJournal(${JSON.stringify(root)}, ${JSON.stringify(run)}, (e) => console.log(e.code));
    for (let i = 0; i < 3; i++) j.add({ type: 'run-end', time: i, exit: 0, class: 'ok', seconds: 1, pad: 'x'.repeat(3000) });
    await j.synced(); j.close(); console.log('end');`;
  const done = spawnSync('sh', ['-c', 'ulimit -f 8; exec "$0" "$@"', process.execPath, ...script, code], {
    encoding: 'utf8',
  });
  assert.equal([done.status, done.stdout.trim().split('\n')], [0, ['EFBIG', 'end']], done.stderr);
});

journal('runs are found by id, by beginning and as latest', () => {
  const { root } = place();
  for (const run of ['20260101-000000-aa', '20260102-000000-bb', '20260102-000000-cc'])
    openJournal(root, run, fail).close();
  assert.is(findRun(root, 'latest').id, '20260102-000000-cc');
  assert.is(findRun(root, '20260101').id, '20260101-000000-aa');
  assert.throws(() => findRun(root, '20260102'), /names 2 runs/);
  assert.throws(() => findRun(root, '20260102-000000-bd'), /no run is called/);
  assert.throws(() => findRun(root, '../runs'), /no run is called/);
  assert.throws(() => findRun(place().root, 'latest'), /no runs are recorded/);
  assert.equal(
    listRuns(root).map((run) => run.id.slice(-2)),
    ['cc', 'bb', 'aa'],
  );
});

journal('run ids sort by time and are unique', () => {
  const at = (ms: number) => newRunId(new Date(ms));
  assert.match(at(Date.UTC(2026, 0, 15, 2, 3, 4)), /^20260115-020304-[0-9a-f]{6}$/);
  assert.ok(at(1e12) < at(1e12 + 1000));
  assert.is.not(at(1e12), at(1e12));
});

journal('old runs go: not one that goes on, not the last that can be resumed, not the newest', () => {
  const root = join(tempFolder('prune'), '.kpush');
  const ids = Array.from({ length: 6 }, (_, i) => newRunId(new Date(Date.UTC(2026, 0, i + 1))));
  const journals = ids.map((id) => openJournal(root, id, fail));
  for (const at of [1, 2, 4, 5]) rmSync(join(journals[at]!.dir, 'pid')); // as if their processes were gone
  writeFileSync(join(journals[1]!.dir, 'options.json'), '{}');
  writeFileSync(join(journals[2]!.dir, 'options.json'), '{}');
  pruneRuns(root, 'options.json', 1);
  for (const one of journals) one.close();
  assert.equal(
    listRuns(root).map(({ id }) => id),
    [5, 3, 2, 0].map((at) => ids[at]),
  );
  pruneRuns(root, 'options.json', 100);
  assert.is(listRuns(root).length, 4);
});

journal.run();

function place() {
  return { root: join(tempFolder('journal'), '.kpush'), run: newRunId(new Date()) };
}
