import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { hostTarget, Watch } from '../lab/remote-support.ts';
import { scratch } from '../lab/support/inventory.ts';
import type { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { processesWith, waitFor } from '../unit/remote/support.ts';
import { ways } from './support/cells.ts';
import { matrixLab } from './support/check.ts';
import { begin, orphanCases } from './support/orphan-cases.ts';

/** Engine rules 7 to 10 for every way to become, login shell, flavour and transport: many at once, on one host. */
const test = suite('no orphan, whatever the way', { timeout: 240_000 });
/** Cases at once: a host bears that many logins. */
const batch = 20;
let lab: Lab;

test(
  'the lab is up',
  async () => {
    lab = await matrixLab();
  },
  { timeout: 600_000 },
);

test('every way to become is a case', () => {
  const names = orphanCases(hostTarget(lab)).map(({ name }) => name);
  for (const { name } of ways)
    assert.ok(
      names.some((each) => each.includes(`, ${name}, `)),
      name,
    );
  assert.ok(names.some((name) => name.endsWith('openssh')));
});

for (let from = 0; from < 78; from += batch) {
  const cases = () => orphanCases(hostTarget(lab)).slice(from, from + batch);
  const what = `cases ${from + 1} to ${from + batch}`;

  test(`${what}: a close in the middle of a step ends all of it within 5 s`, async () => {
    const { watch, running } = await midStep(cases(), { deadline: 60, beat: 5000 });
    await Promise.all(running.map(({ session }) => session.close()));
    await watch.empty(5000 * slack);
    await Promise.all(running.map(({ change }) => change));
  });

  test(`${what}: silence ends all of it within the deadline`, async () => {
    const deadline = 12;
    const { watch, running } = await midStep(cases(), { deadline, beat: 1000 });
    await lab.drop('h1');
    try {
      await watch.empty((deadline + 3 * slack) * 1000);
    } finally {
      await lab.undrop('h1');
    }
    await Promise.all(running.map(({ session }) => session.close()));
    await Promise.all(running.map(({ change }) => change));
  });

  test(`${what}: kill -9 of the controller ends all of it within 5 s, and no ssh stays here`, async () => {
    const watch = new Watch(lab);
    const own = scratch('orphans');
    const child = spawn(process.execPath, ['--import', 'tsx', 'test/matrix/support/orphan-child.ts'], {
      env: {
        ...process.env,
        TMPDIR: own,
        ORPHAN_BASE: JSON.stringify({ base: hostTarget(lab), from, to: from + batch }),
      },
      stdio: 'inherit',
    });
    await begun(watch, cases().length);
    child.kill('SIGKILL');
    await watch.empty(5000 * slack);
    await waitFor('no ssh', () => processesWith(own).length === 0);
    assert.equal(
      readdirSync(own).filter((name) => name.startsWith('kpush-')),
      [],
    );
  });
}

test('the last batch was the last', () => assert.ok(orphanCases(hostTarget(lab)).length <= 80));

test('the lab is left', () => lab.down());
test.run();

/** Ending twenty at once takes a machine of two cores longer than one. */
const slack = 3;

async function midStep(cases: ReturnType<typeof orphanCases>, deps: { deadline: number; beat: number }) {
  const watch = new Watch(lab);
  const running = cases.map((one) => ({ ...begin(one, deps), name: one.name }));
  const failed = Promise.race(running.map(async ({ change, name }) => `${name}: ${await change}`));
  const outcome = await Promise.race([begun(watch, cases.length), failed]);
  assert.is(outcome, undefined);
  return { watch, running };
}

function begun(watch: Watch, count: number): Promise<void> {
  const steps = () => watch.ours().filter(({ cmdline }) => cmdline.join(' ') === 'sleep 332').length;
  return waitFor(`${count} steps`, () => steps() >= count, 150_000);
}
