import * as assert from 'uvu/assert';
import type { Need, Reply } from '../../../src/core/needs.ts';
import type { PlannedStep } from '../../../src/core/steps.ts';
import type { Driver } from '../../../src/plan/driver.ts';
import type { SavedHost } from '../../../src/run/saved-plan.ts';
import { guardedDriver } from '../../../src/run/saved-plan-guard.ts';
import { actionDigest, savedRests, stepDigest } from '../../../src/run/saved-plan-record.ts';
import { sealWith } from '../../../src/run/saved-plan-seal.ts';
import { suite } from '../../support/harness.ts';

const test = suite('saved plan guard');
const seal = sealWith(Buffer.from('a key'));
const tools = { seal, veil: (text: string) => text, grows: (action: string) => action === 'add_host' };

function step(key: string, script: string, more: Partial<PlannedStep> = {}): PlannedStep {
  const task = { id: `t${key}`, name: `task ${key}` };
  const fact = { identity: {}, key: { family: 'file', id: '/f' }, raw: 'as planned' };
  return {
    key,
    seq: 1,
    title: script,
    task,
    run: { kind: 'sh', script },
    effects: [],
    identity: {},
    dry: false,
    proves: [],
    rests: [fact],
    ...more,
  };
}

function saved(...steps: PlannedStep[]): SavedHost {
  const kept = steps.map((one) => ({
    key: one.key,
    task: one.task.id,
    name: one.task.name,
    title: one.title,
    digest: stepDigest(one, seal),
    rests: savedRests('h', one, tools),
  }));
  return { state: 'planned', steps: kept, deferred: [{ task: 'tlater', name: 'later', why: 'known after ask' }] };
}

/** A guarded driver over one that does what it is told and notes it. */
function guarded(host: SavedHost, allowDeferred = false, answer?: Reply) {
  const did: string[] = [];
  const refused: string[] = [];
  const ran = ({ steps }: Extract<Need, { kind: 'run' }>): Reply => {
    for (const { title } of steps) did.push(title);
    const outcomes = steps.map(({ key }) => ({
      key,
      status: 'ok' as const,
      rc: 0,
      stdout: '',
      stderr: '',
      start: 0,
      end: 0,
    }));
    return { kind: 'ran', executed: true, outcomes, next: [] };
  };
  const inner: Driver = {
    ask: async () => ({ kind: 'answers', answers: [] }),
    run: async (_host, need) => answer ?? ran(need),
    act: async (_host, { call }) => {
      did.push(call.action);
      return { kind: 'acted', result: { changed: true, values: new Map() } };
    },
    sleep: async () => ({ kind: 'go' }),
    gate: async () => true,
  };
  const note = (name: string, why: string) => refused.push(`${name}: ${why}`);
  const driver = guardedDriver(
    inner,
    { hosts: { h: host } },
    {
      ...tools,
      allowDeferred,
      rescues: (task) => task === 'tsave',
      refused: note,
    },
  );
  const run = async (...steps: PlannedStep[]) => {
    const reply = await driver.run('h', { kind: 'run', on: 'h', steps, next: [] });
    return reply.kind === 'ran' ? reply.outcomes.map((outcome) => outcome.status) : [reply.kind];
  };
  return { driver, run, did, refused };
}

test('what the plan has runs, whatever its place in the run', async () => {
  const { run, did, refused } = guarded(saved(step('a', 'one'), step('b', 'two')));
  assert.equal(await run(step('a', 'one', { seq: 7 }), step('b', 'two')), ['ok', 'ok']);
  assert.equal([did, refused], [['one', 'two'], []]);
});

test('at the first step that the plan does not have its host fails, after those it has', async () => {
  const { run, did, refused } = guarded(saved(step('a', 'one'), step('c', 'three')));
  assert.equal(await run(step('a', 'one'), step('b', 'two'), step('c', 'three')), ['ok', 'failed']);
  assert.equal(await run(step('c', 'three')), ['failed']);
  assert.equal([did, refused], [['one'], ['h: not in the saved plan: two']]);
});

for (const [what, other] of Object.entries<Partial<PlannedStep>>({
  effects: { effects: [{ type: 'opaque', why: 'x' }] },
  identity: { identity: { become: { method: 'sudo', user: 'root' } } },
  host: { on: 'another' },
  environment: { env: { A: '1' } },
  task: { task: { id: 'tb', name: 'task a' } },
}))
  test(`a step with another ${what} is another step`, async () => {
    const { run, did } = guarded(saved(step('a', 'one')));
    assert.equal(await run(step('a', 'one', other)), ['failed']);
    assert.equal(did, []);
  });

test('a step whose facts moved is refused, until something ran that may have moved them', async () => {
  const moved = { rests: [{ identity: {}, key: { family: 'file', id: '/f' }, raw: 'moved' }] };
  const opaque = step('o', 'command', { effects: [{ type: 'opaque', why: 'command' }], rests: [] });
  const plan = saved(opaque, step('a', 'one'));
  const first = guarded(plan);
  assert.equal(await first.run(step('a', 'one', moved)), ['failed']);
  assert.equal(first.refused, ['h: moved since the plan was made: file /f']);
  const second = guarded(plan);
  await second.run(opaque);
  assert.equal(await second.run(step('a', 'one', moved)), ['ok']);
});

test('what a step before it was to change is not what a later one rests on', async () => {
  const put = step('p', 'put', { effects: [{ type: 'file.put', path: '/f', kind: 'file' }] });
  const predicted = step('a', 'use', { rests: [] });
  const { run, refused } = guarded(saved(put, predicted));
  const asIs = { rests: [{ identity: {}, key: { family: 'file', id: '/f' }, raw: 'as put' }] };
  assert.equal(await run(put), ['ok']);
  assert.equal(await run(step('a', 'use', asIs)), ['ok']);
  assert.equal(refused, []);
});

test('of steps that are the same one that rests on what is there is enough', async () => {
  const [one, other] = ['one', 'other'].map((raw) => ({
    rests: [{ identity: {}, key: { family: 'file', id: '/f' }, raw }],
  }));
  const { run } = guarded(saved(step('a', 'do', one), { ...step('a', 'do', other), key: 'a2' }));
  assert.equal(await run(step('a', 'do', other)), ['ok']);
  assert.equal(await run(step('a', 'do', { rests: [] })), ['ok']);
});

test('what a failure brings about is deferred, for no plan has it', async () => {
  const rescue = step('save', 'put back');
  const strict = guarded(saved(step('a', 'one')));
  assert.equal(await strict.run(rescue), ['failed']);
  assert.match(
    strict.refused[0]!,
    /deferred in the saved plan \(done only where something fails\), needs --allow-deferred/,
  );
  assert.equal(await guarded(saved(step('a', 'one')), true).run(rescue), ['ok']);
});

test("where the host's own guard does not hold it is planned again, and that is judged again", async () => {
  const stale: Reply = { kind: 'stale', answers: [] };
  const { run, refused } = guarded(saved(step('a', 'one')), false, stale);
  assert.equal(await run(step('a', 'one')), ['stale']);
  assert.equal(refused, []);
  const moved = { rests: [{ identity: {}, key: { family: 'file', id: '/f' }, raw: 'moved' }] };
  assert.equal(await run(step('a', 'one', moved)), ['failed']);
  assert.equal(refused, ['h: moved since the plan was made: file /f']);
});

test('a deferred task runs only where that is allowed', async () => {
  const later = step('later', 'two');
  const strict = guarded(saved(step('a', 'one')));
  assert.equal(await strict.run(step('a', 'one'), later), ['ok', 'failed']);
  assert.match(strict.refused[0]!, /deferred in the saved plan \(known after ask\), needs --allow-deferred: two/);
  const allowed = guarded(saved(step('a', 'one')), true);
  assert.equal(await allowed.run(step('a', 'one'), later), ['ok', 'ok']);
  assert.equal(await allowed.run(step('x', 'three')), ['failed']);
  assert.equal(allowed.did, ['one', 'two']);
});

test('steps that are only predicted are not judged', async () => {
  const { run } = guarded(saved());
  assert.equal(await run(step('a', 'one', { dry: true })), ['ok']);
});

test('actions are judged as steps are; those that only grow the inventory are not', async () => {
  const call = (action: string, params: Record<string, unknown>) => ({
    action,
    params,
    host: 'h',
    on: 'h',
    identity: {},
    seq: 1,
    task: { id: 'tr', name: 'act' },
    origin: { file: 'f', line: 1, column: 1 },
  });
  const digest = actionDigest(call('reboot', { timeout: 1 }), seal);
  const known = { key: '1.reboot', task: 'tr', name: 'act', title: 'reboot', digest, rests: [] };
  const { driver, did, refused } = guarded({ ...saved(), steps: [known] });
  const act = async (action: string, params: Record<string, unknown>) => {
    const reply = await driver.act('h', { kind: 'act', call: call(action, params) });
    return reply.kind === 'acted' && reply.result.failed === true;
  };
  assert.is(await act('reboot', { timeout: 1 }), false);
  assert.is(await act('add_host', {}), false);
  assert.is(await act('reboot', { timeout: 2 }), true);
  assert.equal([did, refused], [['reboot', 'add_host'], ['h: not in the saved plan: reboot']]);
});

test.run();
