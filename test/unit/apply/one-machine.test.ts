import * as assert from 'uvu/assert';
import { type ApplyTools, applyDriver } from '../../../src/apply/apply-driver.ts';
import type { Driver } from '../../../src/plan/driver.ts';
import { suite } from '../../support/harness.ts';

const test = suite('a trip to one machine');
const driver = applyDriver({ check: false } as unknown as ApplyTools, {} as Driver);
const need = (on: string, ...steps: { title: string; on?: string }[]) =>
  ({ kind: 'run', on, steps, next: [] }) as unknown as Parameters<Driver['run']>[1];

for (const [mixed, said] of [
  [need('h1', { title: 'ask', on: 'h1' }, { title: 'wipe' }), '"wipe" is for h3 and was about to run on h1'],
  [need('h3', { title: 'wipe' }, { title: 'ask', on: 'h1' }), '"ask" is for h1 and was about to run on h3'],
] as const)
  test(`is refused before it begins: ${said}`, async () => {
    const error = await driver.run('h3', mixed).then(
      () => undefined,
      (thrown: Error) => thrown.message,
    );
    assert.is(error, said);
  });

test.run();
