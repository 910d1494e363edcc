import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { modules } from '../../src/modules/registry.ts';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { needCluster, needPrograms } from './support/every-module.ts';
import { labInventory, scratch } from './support/inventory.ts';
import { complaints, kpush, runOptions } from './support/run.ts';

const test = suite('every module on a real host', { timeout: 120_000 });
const playbook = 'test/lab/every-module/site.yaml';
const [play] = parse(readFileSync(playbook, 'utf8')) as [{ tasks: Record<string, unknown>[] }];
const tasks = play.tasks.map((task) => Object.keys(task)[0]!);

test('the playbook has a task of each, in order', () => {
  assert.equal(tasks, modules.map(({ name }) => name).sort());
});

test('each is planned', async () => {
  const dir = scratch('every-module');
  const archive = join(dir, 'archive.tar');
  execFileSync('tar', ['-cf', archive, '-C', 'test/lab/every-module', 'files']);
  const lab = await Lab.up({ hosts: 1 });
  try {
    const inventory = labInventory(dir, lab, { h1: { ansible_host: lab.hosts[0]!.address } });
    const planned = await kpush(runOptions('plan', playbook, inventory, { extraVars: [`archive=${archive}`] }));
    assert.is(planned.exit, 0, complaints(planned));
    assert.equal(names(planned.tasks), tasks);
    const failed = planned.tasks.filter(({ status }) => !['ok', 'changed', 'unknown'].includes(status));
    assert.equal(names(failed).sort(), ['fail', ...needCluster, ...needPrograms].sort(), complaints(planned));
  } finally {
    await lab.down();
  }
});

function names(events: { name: string }[]): string[] {
  return events.map(({ name }) => name);
}

test.run();
