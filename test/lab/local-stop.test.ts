import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../support/harness.ts';
import { local, ran, shells, step, trip, withSession } from '../unit/remote/support.ts';

const test = suite('a stop that meets the end of a step', { timeout: 60_000 });
const tries = 40;

for (const shell of shells())
  test(`${basename(shell)}: the trip ends, whichever was first`, async () => {
    for (let n = 0; n < tries; n++) await withSession(local(shell), (session) => met(session, 20 + n));
  });

/** The step ends some 40 ms after it began. */
async function met(session: ReturnType<typeof local>, delay: number) {
  const steps = [step('a', 'echo 1; sleep .04'), step('b', 'sleep .01'), step('c', 'sleep .01')];
  const told = () => void pause(delay).then(() => session.stop());
  let isTold = false;
  const output = () => {
    if (!isTold) told();
    isTold = true;
  };
  const reply = await Promise.race([session.change(trip(steps), { output }), pause(10_000)]);
  if (!reply) throw new Error(`hangs, told to stop after ${delay} ms`);
  const statuses = ran(reply).map(({ status }) => status);
  assert.match(statuses.join(' '), /^ok( ok)*( not-run)*$/);
  assert.is(statuses.length, 3);
}

test.run();
