import * as assert from 'uvu/assert';
import { type ApplyTools, applyDriver } from '../../../src/apply/apply-driver.ts';
import type { Driver } from '../../../src/plan/driver.ts';
import { suite } from '../../support/harness.ts';

const test = suite('apply --check');

test('steps are not foretold as in a plan, so that those of check_mode: false are run', async () => {
  const predict = { predicts: true, run: async () => ({ kind: 'ran', predicted: true }) } as unknown as Driver;
  const driver = applyDriver({ check: true } as unknown as ApplyTools, predict);
  assert.is(driver.predicts, undefined);
  const dry = { kind: 'run', steps: [{ dry: true }], next: [] } as unknown as Parameters<Driver['run']>[1];
  assert.equal(await driver.run('h1', dry), { kind: 'ran', predicted: true });
});

test.run();
