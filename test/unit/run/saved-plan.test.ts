import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { EventBody } from '../../../src/core/events.ts';
import type { PlannedStep } from '../../../src/core/steps.ts';
import { RecordingView } from '../../../src/plan/view.ts';
import { newKey, readSavedPlan, type SavedHost, type SavedPlan, writeSavedPlan } from '../../../src/run/saved-plan.ts';
import { differences, refusals } from '../../../src/run/saved-plan-compare.ts';
import { checkFiles, recordedFiles } from '../../../src/run/saved-plan-files.ts';
import { deferredOf } from '../../../src/run/saved-plan-guard.ts';
import { optionsOfPlan, savedOptions } from '../../../src/run/saved-plan-options.ts';
import { PlanRecord } from '../../../src/run/saved-plan-record.ts';
import { canonical, sealWith } from '../../../src/run/saved-plan-seal.ts';
import { World } from '../../../src/world/world.ts';
import { runOptions } from '../../lab/support/run.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';

const test = suite('saved plan');
const seal = sealWith(Buffer.from('a key'));

test('equal values have one text, whatever the order of their members', () => {
  assert.is(canonical({ b: 1, a: [undefined, null] }), canonical({ a: [undefined, null], b: 1, c: undefined }));
  assert.is.not(canonical({ a: new Map([['x', 1]]) }), canonical({ a: { x: 1 } }));
  assert.is.not(canonical([1, '1']), canonical(['1', 1]));
  assert.throws(() => canonical({ a: () => 1 }));
});

test('a seal tells equal from different, and differs from key to key', () => {
  assert.is(seal({ a: 1, b: 2 }), seal({ b: 2, a: 1 }));
  assert.is.not(seal('a'), seal('b'));
  assert.is.not(seal('a'), sealWith(Buffer.from('another'))('a'));
});

test('a driver that predicts is made one that is asked to run, or no step would be seen', () => {
  const record = new PlanRecord({ seal, veil: (text) => text, grows: () => false });
  const inner = { predicts: true as const } as unknown as Parameters<PlanRecord['driver']>[0];
  assert.is(record.driver(inner).predicts, undefined);
});

test('what goes by pods is deferred and marked, also where there is nothing to do now', () => {
  const record = new PlanRecord({ seal, veil: (text) => text, grows: () => false });
  const key = { family: 'kube-pods', id: '{}' };
  const world = new World().withAnswers([{ identity: {}, key, answer: { state: 'known', value: [], raw: 'x' } }]);
  const view = new RecordingView(world, {});
  view.read('kube-pods', '{}');
  record.event({ type: 'task', host: 'h', task: 't7', name: 'drain', fleeting: view.fleeting } as EventBody);
  const planned = {
    key: '1.0',
    seq: 1,
    task: { id: 't7', name: 'drain' },
    title: 'drain',
    run: { kind: 'sh', script: 'x' },
    rests: view.rests,
  };
  const inner = { run: async () => ({ kind: 'go' }) } as unknown as Parameters<PlanRecord['driver']>[0];
  record.driver(inner).run('h', { kind: 'run', on: 'h', steps: [planned as unknown as PlannedStep], next: [] });
  const { steps, deferred } = record.hosts().get('h')!;
  assert.match(deferred[0]!.why, /pods come and go/);
  assert.is(steps[0]!.fleeting, true);
});

const rest = (fact: string, raw: string) => ({ fact, key: `key of ${fact}`, raw });
const step = (title: string, digest: string, rests = [rest('file /f', 'r1')]) => ({
  key: '1.0',
  task: 't1',
  name: 'task',
  title,
  digest,
  rests,
});
const host = (...steps: SavedHost['steps']): SavedHost => ({ state: 'planned', steps, deferred: [] });

const compared: [string, SavedHost, SavedHost, string[]][] = [
  ['the same', host(step('write /f', 'd1')), host(step('write /f', 'd1')), []],
  [
    'a fact that moved under the same steps',
    host(step('write /f', 'd1')),
    host(step('write /f', 'd1', [rest('file /f', 'r2')])),
    ['moved: file /f'],
  ],
  [
    'what goes by what is another one by then',
    host(step('write /f', 'd1'), { ...step('drain: 2 pods', 'd2', []), fleeting: true as const }),
    host(step('write /f', 'd1'), { ...step('drain: 3 pods', 'd3', []), fleeting: true as const }),
    [],
  ],
  [
    'a fact of which only one is read, under the same steps',
    host(step('write /f', 'd1')),
    host(step('write /f', 'd1', [rest('file /f', 'r1'), rest('file /g', 'r1')])),
    ['moved: file /g'],
  ],
  [
    'a step that does something else',
    host(step('write /f', 'd1')),
    host(step('write /f', 'd2')),
    ['no longer planned: write /f (task)', 'not in the saved plan: write /f (task)'],
  ],
  [
    'a step that came twice',
    host(step('write /f', 'd1')),
    host(step('write /f', 'd1'), step('write /f', 'd1')),
    ['not in the saved plan: write /f (task)'],
  ],
  [
    'another order',
    host(step('a', 'd1'), step('b', 'd2')),
    host(step('b', 'd2'), step('a', 'd1')),
    ['the steps are the same, their order is not'],
  ],
  ['another end', host(), { ...host(), state: 'failed' }, ['planning it now ended as failed, then as planned']],
];

for (const [name, saved, now, wanted] of compared)
  test(`compared: ${name}`, () => assert.equal(differences(saved, now), wanted));

test('hosts are refused alone; one that cannot be reached now is left to the apply', () => {
  const diffs = new Map();
  const now = (planned: SavedHost) => ({ ...planned, diffs });
  const found = refusals(
    {
      good: host(step('a', 'd1')),
      moved: host(step('a', 'd1')),
      gone: host(),
      lost: host(),
      never: { ...host(), state: 'unreachable' },
    },
    new Map([
      ['good', now(host(step('a', 'd1')))],
      ['moved', now(host(step('a', 'd2')))],
      ['lost', now({ ...host(), state: 'unreachable' })],
      ['never', now(host())],
      ['new', now(host())],
    ]),
  );
  assert.equal(found.map((one) => one.host).sort(), ['gone', 'moved', 'never', 'new']);
});

test('a task that a deferred include brings is deferred, another is not', () => {
  const saved: SavedHost = { ...host(), deferred: [{ task: 't12', name: 'include', why: 'x' }] };
  assert.is(deferredOf(saved, 't12')?.task, 't12');
  assert.is(deferredOf(saved, 'b12.t3')?.task, 't12');
  assert.is(deferredOf(saved, 'b1.t12'), undefined);
  assert.is(deferredOf(saved, 't1'), undefined);
});

test('extra variables that may hold a secret are not kept, and must be given again', () => {
  const options = runOptions('plan', 'site.yml', 'hosts', {
    extraVars: ['version=1.2', 'db_password=hunter2', '@vars.yml'],
  });
  const saved = JSON.parse(JSON.stringify(savedOptions(options, seal)));
  assert.not.match(JSON.stringify(saved), 'hunter2');
  const given = { ...runOptions('apply', 'plan.json', ''), inventories: [] };
  assert.throws(() => optionsOfPlan(saved, given, seal, 'plan.json'), /may hold a secret/);
  const again = optionsOfPlan(saved, { ...given, extraVars: ['db_password=hunter2'] }, seal, 'plan.json');
  assert.equal(again.extraVars, options.extraVars);
  assert.equal([again.verb, again.playbooks, again.inventories], ['apply', ['site.yml'], ['hosts']]);
  const foreign = { ...given, extraVars: ['db_password=hunter2', 'more=1'] };
  assert.throws(() => optionsOfPlan(saved, foreign, seal, 'plan.json'), /differ/);
});

test('what decides the plan is not given to its apply; how hosts are reached may be', () => {
  const saved = JSON.parse(JSON.stringify(savedOptions(runOptions('plan', 'site.yml', 'hosts', { user: 'a' }), seal)));
  const given = { ...runOptions('apply', 'plan.json', ''), inventories: [] };
  assert.throws(
    () => optionsOfPlan(saved, { ...given, limit: ['web'] }, seal, 'plan.json'),
    /--limit does not go with plan/,
  );
  assert.throws(() => optionsOfPlan(saved, { ...given, check: true }, seal, 'plan.json'), /--check does not go/);
  assert.is(optionsOfPlan(saved, given, seal, 'plan.json').user, 'a');
  assert.is(optionsOfPlan(saved, { ...given, user: 'b' }, seal, 'plan.json').user, 'b');
});

test('a plan is read as it was written, by its owner alone, and only by the kpush that made it', () => {
  const dir = tempFolder('saved');
  try {
    const path = join(dir, 'plan.json');
    writeFileSync(path, 'old', { mode: 0o644 });
    const plan: SavedPlan = {
      kpush: 'plan',
      format: 1,
      version: '1',
      chance: { run: 'r', clock: 1, seed: '' },
      key: newKey(),
      options: savedOptions(runOptions('plan', 'site.yml', 'hosts'), seal),
      files: {},
      hosts: { h: host() },
    };
    writeSavedPlan(path, plan);
    assert.is(statSync(path).mode & 0o777, 0o600);
    assert.equal(readSavedPlan(path, '1'), JSON.parse(JSON.stringify(plan)));
    assert.throws(() => readSavedPlan(path, '2'), /made by kpush 1, this is 2/);
    writeFileSync(path, '[{"hosts": "all"}]');
    assert.is(readSavedPlan(path, '1'), undefined);
    writeFileSync(path, '{"kpush":"plan","format":1,"version":"1"}');
    assert.throws(() => readSavedPlan(path, '1'), /not a whole plan/);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('files that were read are known again; those that changed or are gone are all named', () => {
  const disk = (texts: Record<string, string>) => ({
    read: (path: string) => (texts[path] === undefined ? undefined : Buffer.from(texts[path])),
    kind: () => 'file' as const,
    list: () => [],
  });
  const { files, read } = recordedFiles(disk({ '/a': '1', '/b': '2', '/c': '3' }));
  for (const path of ['/a', '/b', '/c', '/missing']) files.read(path);
  assert.equal(Object.keys(read()), ['/a', '/b', '/c']);
  checkFiles(read(), 'plan.json', disk({ '/a': '1', '/b': '2', '/c': '3' }));
  assert.throws(
    () => checkFiles(read(), 'plan.json', disk({ '/a': '1', '/b': 'other' })),
    /^\/b has changed since plan\.json was made\n\/c is gone/,
  );
});

test.run();
