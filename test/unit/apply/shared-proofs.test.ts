import * as assert from 'uvu/assert';
import { outcomesIn } from '../../../src/apply/outcomes.ts';
import { changeTrip, type TripPlan, tripsOf } from '../../../src/apply/trips.ts';
import type { StepReply } from '../../../src/core/session.ts';
import type { PlannedStep } from '../../../src/core/steps.ts';
import { suite } from '../../support/harness.ts';

const test = suite('facts of neighbouring writes are read in one');
const names: Record<string, string> = {};

test('directories and the files in them make one proof, after the last', () => {
  assert.equal(groups([directory('/d'), file('/d/a'), file('/d/b')]), [[0, 1, 2]]);
});

test('the same file written again is still one proof', () => {
  assert.equal(groups([file('/a', 'one'), file('/a', 'two'), file('/a', 'three')]), [[0, 1, 2]]);
});

test('what may change more than its own path stands alone and parts its neighbours', () => {
  const command = step('/b', 'file', { run: { kind: 'argv', argv: ['true'] } });
  assert.equal(groups([file('/a'), command, file('/c')]), [[0], [1], [2]]);
  const others: Partial<PlannedStep>[] = [
    { onFail: 'go-on' },
    { onCut: 'finish' },
    { effects: [] },
    { effects: [{ type: 'opaque' }] as never },
    { effects: [{ type: 'file.put', path: '/c', kind: 'link' }] },
    { run: { ...put('/c'), validate: 'true %s' } },
    { run: { ...put('/c'), unsafeWrites: true } },
    { run: { kind: 'sh', script: 'chmod 0600 /c', brief: true } },
    { proves: [{ key: { family: 'unit', id: 'a' }, expected: {} }] },
    { proves: [] },
    { proves: [{ key: { family: 'file', id: '/c' }, expected: { exists: true, canonical: '/real/c' } }] },
  ];
  for (const other of others)
    assert.equal(groups([file('/a'), file('/b'), step('/c', 'file', other)]), [[0, 1], [2]], JSON.stringify(other));
});

test('a directory that gets its mode after what is in it was written does not shut that in', () => {
  assert.equal(groups([file('/d/a'), file('/d/b'), directory('/d'), file('/d/c')]), [
    [0, 1],
    [2, 3],
  ]);
  assert.equal(groups([file('/dd/a'), directory('/d')]), [[0, 1]], 'a longer name is another directory');
});

test('a group has an end', () => {
  const steps = Array.from({ length: 40 }, (_, n) => file(`/f${n}`));
  assert.equal(
    groups(steps).map((group) => group.length),
    [32, 8],
  );
});

test('each step misses what its own file is not, and a file written twice is what it was written last', () => {
  const trip = tripsOf([file('/a'), file('/b'), file('/b', 'last')])[0]!;
  assert.equal(unproven(trip, { '/a': 'old', '/b': 'last' }), [['/a: new, is old'], undefined, undefined]);
  assert.equal(unproven(trip, { '/a': 'new', '/b': 'new' }), [undefined, undefined, ['/b: last, is new']]);
  assert.equal(
    unproven(trip, { '/a': 'new', '/b': 'other' }).map((missed) => missed?.length),
    [undefined, undefined, 1],
    'what neither expects is missed by the last that says anything of it',
  );
});

test('a step that failed or did not run misses nothing, those before it are proved all the same', () => {
  const trip = tripsOf([file('/a'), file('/b'), file('/c')])[0]!;
  const found = { '/a': 'old', '/b': 'old', '/c': 'old' };
  assert.equal(unproven(trip, found, ['ok', 'failed', 'not-run']), [['/a: new, is old'], undefined, undefined]);
});

test.run();

/** Numbers of the steps whose facts are read in one, by what the host is asked. */
function groups(steps: PlannedStep[]): number[][] {
  const [plan] = tripsOf(steps);
  const trip = changeTrip(plan!, { run: 'r', owner: 'me', forceUnlock: false }, true, []);
  const last = trip.steps.map((one, n) => n + (one.provedAfter ?? 0));
  for (const [n, one] of trip.steps.entries()) assert.is(one.proof.length > 0, last[n] === n && hasProofs(steps[n]!));
  return [...new Set(last)].map((end) => last.flatMap((one, n) => (one === end ? [n] : [])));
}

function hasProofs({ proves }: PlannedStep): boolean {
  return proves.length > 0;
}

function unproven(trip: TripPlan, found: Record<string, string>, statuses: StepReply['status'][] = []) {
  const paths = [...new Set(trip.steps.flatMap(({ planned }) => planned[0]!.proves.map(({ key }) => key.id)))];
  const records = [
    paths.map(
      () => 'p81a4|0|0|3|1|1|1|root|root|2026-11-30 12:00:00.000000000 +0000|2026-11-30 12:00:00.000000000 +0000|1\n/',
    ),
    paths.map((path) => `s${hash(found[path]!)}`),
  ];
  const replies = trip.steps.map(({ first }, n) => ({
    key: first.key,
    status: statuses[n] ?? 'ok',
    rc: 0,
    proof: records,
    stdout: Buffer.of(),
    stderr: Buffer.of(),
  }));
  const short = (text: string) =>
    text.replace('content: expected sha256 ', '').replace(/([0-9a-f]{8})\1{7}/g, (_all, hex) => names[hex]!);
  return outcomesIn(trip, replies as unknown as StepReply[]).map((outcome) => outcome.unproven?.map(short));
}

/** 64 digits that stand for a word. */
function hash(word: string): string {
  const hex = Buffer.from(word.padEnd(4)).toString('hex').slice(0, 8);
  names[hex] = word;
  return hex.repeat(8);
}

function put(path: string) {
  return { kind: 'put' as const, path, content: { kind: 'text' as const, text: 'x' }, mode: 0o644 };
}

function file(path: string, word = 'new'): PlannedStep {
  const sha256 = hash(word);
  const content = { key: { family: 'content', id: path, wants: { sha256 } }, expected: { exists: true, sha256 } };
  const one = step(path, 'file', {});
  return { ...one, key: `${path} ${word}`, proves: [...one.proves, content] };
}

function directory(path: string): PlannedStep {
  return step(path, 'directory', { run: { kind: 'sh', script: `mkdir ${path}`, brief: true } });
}

function step(path: string, kind: 'file' | 'directory', more: Partial<PlannedStep>): PlannedStep {
  return {
    key: path,
    identity: {},
    onFail: 'stop',
    run: put(path),
    rests: [],
    effects: [{ type: 'file.put', path, kind }],
    proves: [{ key: { family: 'file', id: path }, expected: { exists: true, canonical: path } }],
    ...more,
  } as PlannedStep;
}
