import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as assert from 'uvu/assert';
import type { Session } from '../../../src/core/session.ts';
import { suite } from '../../support/harness.ts';
import { local, ran, step, trip, withSession } from './support.ts';

const test = suite('what a connected host keeps', { timeout: 20_000 });
const record = (script: string) => ({ script, records: 1 });

test('nothing of an answer, once whoever asked has let go of it', () =>
  withSession(local('/bin/sh'), async (session) => {
    const answers = await letGo(session.ask({}, [record('echo first; kp_sep')]));
    assert.is(await isKept(answers), false, 'of the first trip');
    const later = await letGo(session.ask({}, [record('echo later; kp_sep')]));
    assert.is(await isKept(later), false, 'of a later one');
    await assertAlive(session);
  }));

test('nothing of a change, once it was told', () =>
  withSession(local('/bin/sh'), async (session) => {
    const change = trip([step('s', 'echo done')], {}, [record('echo next; kp_sep')]);
    const steps = await letGo(session.change(change, {}).then(ran));
    assert.is(await isKept(steps), false);
    await assertAlive(session);
  }));

test.run();

/** In a function of its own: what a running function has seen stays until it returns. */
async function letGo(trip: Promise<object>): Promise<WeakRef<object>> {
  return new WeakRef(await trip);
}

async function isKept(reference: WeakRef<object>): Promise<boolean> {
  await new Promise(setImmediate); // a WeakRef holds its object until the turn that looked at it is over
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return reference.deref() !== undefined;
}

async function assertAlive(session: Session) {
  assert.equal(await session.ask({}, [record('printf here; kp_sep')]), [['here']]);
  assert.is(session.stats.connections, 1);
}
