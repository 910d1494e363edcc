import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/harness.ts';
import { local, processesWith, ran, shells, step, temp, trip, waitFor, withSession } from '../unit/remote/support.ts';

const test = suite('watching over a shell', { timeout: 20_000 });

/** A controller that says nothing: no sign of life ever comes. */
const mute = { deadline: 1, beat: 1_000_000 };

for (const shell of shells()) {
  const name = basename(shell);
  const tagOf = (what: string) => `tag-${what}-${process.pid}-${name}`;

  test(`${name}: signs of life keep a long step alive`, () =>
    withSession(local(shell, { deadline: 1, beat: 200 }), async (session) => {
      assert.equal(
        ran(await session.change(trip([step('a', 'sleep 3')]), {})).map((s) => s.status),
        ['ok'],
      );
    }));

  test(`${name}: a trip is a sign of life, also between two that were to come`, () =>
    withSession(local(shell, mute), async (session) => {
      for (let n = 0; n < 8; n++)
        assert.is(ran(await session.change(trip([step('a', 'sleep 0.4')]), {}))[0]?.status, 'ok', `trip ${n}`);
    }));

  test(`${name}: silence ends a step, its children, the shell and the lock`, async () => {
    const [stateDir, tag] = [temp(), tagOf('step')];
    await withSession(local(shell, { ...mute, stateDir }), async (session) => {
      const change = session
        .change(trip([step('a', `sh -c 'trap "" TERM; sleep 50; : ${tag}' & sleep 50; : ${tag}`)]), {})
        .catch((error: Error) => error);
      await waitFor('the step', () => processesWith(tag).length > 0);
      await waitFor('the end', () => processesWith(tag).length === 0 && !existsSync(`${stateDir}/lock`), 5000);
      assert.match(((await change) as Error).message, /heard nothing from us/);
    });
  });

  test(`${name}: silence ends an ask and an idle shell`, async () => {
    const tag = tagOf('ask');
    await withSession(local(shell, { ...mute, stateDir: `/tmp/${tag}` }), async (session) => {
      const ask = session.ask({}, [{ script: 'sleep 50; kp_sep', records: 1 }]).catch((error: Error) => error);
      await waitFor('the shell', () => processesWith(tag).length > 0);
      assert.instance(await ask, Error);
      await waitFor('the end', () => processesWith(tag).length === 0, 4000);
      await session.ask({}, [{ script: 'kp_sep', records: 1 }]);
      assert.ok(processesWith(tag).length > 0);
      await waitFor('the end of the idle shell', () => processesWith(tag).length === 0, 4000);
    });
  });

  test(`${name}: a script that is long to come in has more time, and only that one`, async () => {
    const tag = tagOf('long');
    const big = `: ${'x'.repeat(600_000)}\nsleep 2.5\n`;
    await withSession(local(shell, { ...mute, stateDir: `/tmp/${tag}`, openTimeout: 15_000 }), async (session) => {
      for (let n = 0; n < 2; n++) assert.is(ran(await session.change(trip([step('a', big)]), {}))[0]?.status, 'ok');
      await waitFor('the end of the idle shell', () => processesWith(tag).length === 0, 4000);
    });
  });
}

test.run();
