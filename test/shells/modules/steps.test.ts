import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as assert from 'uvu/assert';
import type { WorldView } from '../../../src/core/module.ts';
import { suite } from '../../support/harness.ts';
import { local, shells, temp } from '../../unit/remote/support.ts';
import { Host } from './host.ts';
import { planOf } from './plan.ts';
import { type Scenario, scenarios } from './scenarios.ts';

/**
 * Each scenario is planned on facts that a real shell answered, its steps are run by that shell, and then everything
 * that was asked is asked again: it must be what the effects predict, and planning again must find nothing to do.
 */
const t = suite('steps in real shells', { timeout: 30_000 });
const isRoot = process.getuid?.() === 0;

for (const shell of shells()) {
  const session = local(shell);
  for (const scenario of scenarios.filter(({ root }) => isRoot || !root))
    t(`${basename(shell)}: ${scenario.name}`, () => check(scenario, new Host(session), basename(shell)));
  t(`${basename(shell)}: the session ends`, () => session.close());
}
t.run();

async function check(scenario: Scenario, host: Host, shell: string): Promise<void> {
  const folder = temp();
  chmodSync(folder, 0o755);
  prepare(folder, scenario);
  const make = (view: WorldView) => planOf(scenario.module, scenario.params, folder, view);
  const plan = await host.plan(make);
  assert.is(plan.steps.length > 0, true, 'it plans something');
  const replies = await host.run(plan.steps);
  if (scenario.refusal && shell === 'busybox-only')
    return assert.match(replies.map((reply) => reply.stderr).join(''), scenario.refusal);
  for (const reply of replies) assert.is(reply.status, 'ok', reply.stderr.toString() + reply.stdout.toString());
  assert.equal(await host.unlike(plan.steps), []);
  host.forget();
  const again = await host.plan(make);
  const lasting = again.steps.filter((step) => !step.always).map((step) => step.title);
  assert.equal(lasting, scenario.again ?? []);
}

function prepare(folder: string, { before }: Scenario): void {
  mkdirSync(join(folder, 'site'));
  const script = `umask 022; cd ${folder} || exit 1\n${before ?? ''}`;
  const done = spawnSync('sh', ['-e'], { input: script, encoding: 'utf8' });
  assert.is(done.status, 0, done.stderr);
}
