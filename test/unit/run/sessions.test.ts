import * as assert from 'uvu/assert';
import { loginIdentity } from '../../../src/core/identity.ts';
import { SessionPool } from '../../../src/run/sessions.ts';
import { suite } from '../../support/harness.ts';
import { target } from '../remote/support.ts';

const test = suite('sessions of a run');
const pool = () =>
  new SessionPool(
    (host) => target({ host, address: host }),
    () => {},
  );
const question = [{ script: 'kp_sep', records: 1 }];

async function refused(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'answered',
    (error) => error.message,
  );
}

test('a host that is let go of is asked nothing more, and the others are still there', async () => {
  const sessions = pool();
  const [first, second] = [sessions.of('h1'), sessions.of('h2')];
  sessions.release('h1');
  await new Promise((resolve) => setImmediate(resolve));
  assert.is(await refused(first.ask(loginIdentity, question)), 'the session is closed');
  assert.is(sessions.of('h2'), second);
  await sessions.close();
  assert.is(await refused(second.ask(loginIdentity, question)), 'the session is closed');
});

test('who was never asked anything can be let go of', async () => {
  const sessions = pool();
  sessions.release('h1');
  await sessions.close();
  assert.equal(sessions.stats(), { connections: 0, trips: 0, sent: 0, received: 0 });
});

test.run();
