import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as assert from 'uvu/assert';
import type { ChangeTrip, Session } from '../../src/core/session.ts';
import { suite } from '../support/harness.ts';
import { local, ran, shells, step, temp, trip, waitFor, withSession } from '../unit/remote/support.ts';

const test = suite('host lock', { timeout: 20_000 });
const change = (session: Session, run: string, more: Partial<ChangeTrip> = {}) =>
  session.change(trip([step('a', 'echo done')], { run, owner: `owner of ${run}`, ...more }), {});

for (const shell of shells()) {
  const name = basename(shell);

  test(`${name}: a second run is told who holds it, until the first is closed`, async () => {
    const stateDir = temp();
    const [one, two] = [local(shell, { stateDir }), local(shell, { stateDir })];
    await withSession(two, async () => {
      await withSession(one, async () => {
        ran(await change(one, 'run-1'));
        ran(await change(one, 'run-1'));
        const reply = await change(two, 'run-2');
        assert.is(reply.status === 'locked' && `${reply.run} ${reply.owner}`, 'run-1 owner of run-1');
        assert.match(reply.status === 'locked' ? reply.since : '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      });
      await waitFor('the lock to go', () => !existsSync(`${stateDir}/lock`));
      ran(await change(two, 'run-2'));
    });
  });

  test(`${name}: neither a sharer nor one that was refused leaves a file behind`, async () => {
    const stateDir = temp();
    const steps = () => readdirSync(`${stateDir}/runs`).filter((file) => file.startsWith('step.'));
    await withSession(local(shell, { stateDir }), async (holder) => {
      ran(await change(holder, 'run-1'));
      const mine = steps();
      await withSession(local(shell, { stateDir }), async (sharer) => ran(await change(sharer, 'run-1')));
      await withSession(local(shell, { stateDir }), async (refused) =>
        assert.is((await change(refused, 'run-2')).status, 'locked'),
      );
      await waitFor('tidiness', () => steps().join() === mine.join());
    });
    await waitFor('the end', () => steps().length === 0);
  });

  test(`${name}: two shells of one run share it`, async () => {
    const stateDir = temp();
    await withSession(local(shell, { stateDir }), (one) =>
      withSession(local(shell, { stateDir }), async (two) => {
        ran(await change(one, 'run-1'));
        ran(await change(two, 'run-1'));
        await two.close();
        assert.match(readFileSync(`${stateDir}/lock`, 'utf8'), /run-1/);
      }),
    );
  });

  test(`${name}: force takes it over, and the old owner does not remove the new lock`, async () => {
    const stateDir = temp();
    const one = local(shell, { stateDir });
    await withSession(local(shell, { stateDir }), async (two) => {
      ran(await change(one, 'run-1'));
      ran(await change(two, 'run-2', { forceUnlock: true }));
      await one.close();
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.match(readFileSync(`${stateDir}/lock`, 'utf8'), /run-2/);
    });
  });

  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const self = (readFileSync('/proc/self/stat', 'utf8').split(') ')[1] ?? '').split(' ')[19];
  const owners: [string, string, boolean][] = [
    ['a dead process', `id\nold\nwho\n${boot} 4194303 1\nt\n`, true],
    ['another boot', `id\nold\nwho\n0-0 ${process.pid} ${self}\nt\n`, true],
    ['a process number used again', `id\nold\nwho\n${boot} ${process.pid} 1\nt\n`, true],
    ['no owner at all', '', true],
    ['a living process', `id\nold\nwho\n${boot} ${process.pid} ${self}\nt\n`, false],
  ];
  for (const [what, owner, stale] of owners)
    test(`${name}: the lock of ${what} is ${stale ? 'taken over' : 'respected'}`, async () => {
      const stateDir = temp();
      writeFileSync(`${stateDir}/lock`, owner);
      await withSession(local(shell, { stateDir }), async (session) => {
        assert.is((await change(session, 'run-1')).status, stale ? 'ran' : 'locked');
        assert.match(readFileSync(`${stateDir}/lock`, 'utf8'), stale ? /run-1/ : /old/);
      });
      await waitFor('the end', () => existsSync(`${stateDir}/lock`) === !stale);
    });
}

test.run();
