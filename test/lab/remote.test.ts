import { spawn } from 'node:child_process';
import * as assert from 'uvu/assert';
import { SessionError } from '../../src/core/session.ts';
import type { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { ran, step, trip, waitFor } from '../unit/remote/support.ts';
import { hostSession, hostShells, hostTarget, remoteLab, stubborn, Watch, type Way, ways } from './remote-support.ts';

const test = suite('nothing runs on', { timeout: 60_000 });
let lab: Lab;

test(
  'the lab is up',
  async () => {
    lab = await remoteLab();
  },
  { timeout: 300_000 },
);

for (const way of ways)
  for (const shell of way.name.startsWith('root to') ? hostShells.slice(0, 1) : hostShells) {
    const name = `${way.name}, ${shell}`;

    test(`${name}: works, and leaves nothing after a close in good order`, async () => {
      const watch = new Watch(lab);
      const session = hostSession(lab, { ...way.login, shell });
      const user = way.identity.become?.user ?? 'root';
      assert.equal(await session.ask(way.identity, [{ script: 'id -un; kp_sep; echo $HOME; kp_sep', records: 2 }]), [
        [`${user}\n`, `${user === 'root' ? '/root' : `/home/${user}`}\n`],
      ]);
      const [reply] = ran(await session.change(trip([step('a', 'id -un')], { identity: way.identity }), {}));
      assert.is(reply?.stdout.toString(), `${user}\n`);
      await session.close();
      await watch.empty(3000);
      await noLocks();
    });

    test(`${name}: a close in the middle of a step ends all of it within 5 s`, async () => {
      const { watch, session, change } = await midStep(way, shell);
      await session.close();
      await watch.empty(5000);
      await change;
      await noLocks();
    });

    // The way through sudo matters more than the shell: the other shells are tried as root.
    if (shell !== hostShells[0] && way.name !== 'root') continue;
    test(`${name}: silence ends all of it within the deadline`, async () => {
      const { watch, session, change } = await midStep(way, shell, { deadline: 3, beat: 500 });
      await lab.drop('h1');
      try {
        await watch.empty(3000 + 3500);
      } finally {
        await lab.undrop('h1');
      }
      await session.close();
      await change;
      await noLocks();
    });
  }

test('silence between trips ends the idle shells', async () => {
  const watch = new Watch(lab);
  const session = hostSession(lab, {}, { deadline: 2, beat: 400 });
  await session.ask({}, [{ script: 'kp_sep', records: 1 }]);
  await new Promise((resolve) => setTimeout(resolve, 4000));
  assert.ok(watch.ours().length > 0, 'signs of life keep an idle shell');
  await lab.drop('h1');
  try {
    await watch.empty(4500);
  } finally {
    await lab.undrop('h1');
  }
  await session.close();
});

test('a link that is cut ends all of it within the deadline', async () => {
  const { watch, session, change } = await midStep(ways[1]!, '/bin/sh', { deadline: 3, beat: 500 });
  await lab.cut('h1');
  try {
    await watch.empty(6500);
  } finally {
    await lab.heal('h1');
  }
  await session.close();
  await change;
});

for (const way of ways.slice(0, 3))
  test(`${way.name}: kill -9 of the controller ends all of it within 5 s`, async () => {
    const watch = new Watch(lab);
    const child = spawn(process.execPath, ['--import', 'tsx', 'test/lab/remote-child.ts'], {
      env: {
        ...process.env,
        KPUSH_TEST: JSON.stringify({ target: hostTarget(lab, way.login), identity: way.identity }),
      },
      stdio: 'inherit',
    });
    await waitFor('the step', () => watch.running('sleep 332'), 20_000);
    child.kill('SIGKILL');
    await watch.empty(5000);
    await noLocks();
  });

for (const way of ways.slice(0, 3))
  test(`${way.name}: a shell killed on the host takes its step along`, async () => {
    const { watch, session, change } = await midStep(way, '/bin/sh', { deadline: 12, beat: 1000 });
    await lab.sh('h1', "pkill -KILL -o -f '^/bin/sh -s$'");
    await watch.empty(6000);
    assert.match(((await change) as Error).message, /the shell on h1 ended|heard nothing/);
    await session.close();
    await noLocks();
  });

test('the answer to a lost link is an error that may be tried again, never an answer', async () => {
  const { session, change } = await midStep(ways[0]!, '/bin/sh', { deadline: 3, beat: 500 });
  const killed = await lab.sh('h1', 'pkill -KILL -f "[s]shd: root@notty"; echo $?');
  assert.is(killed, '0');
  const error = await change;
  assert.instance(error, SessionError);
  assert.equal([(error as SessionError).kind, (error as SessionError).transient], ['lost', true]);
  assert.equal(await session.ask({}, [{ script: 'echo back; kp_sep', records: 1 }]), [['back\n']]);
  await session.close();
});

test('the lab is left', () => lab.down());
test.run();

/** A change whose only step has begun; `change` never rejects, it resolves to what happened. */
async function midStep(way: Way, shell: string, deps: { deadline?: number; beat?: number } = {}) {
  const watch = new Watch(lab);
  const session = hostSession(lab, { ...way.login, shell }, deps);
  const change = session
    .change(trip([step('long', stubborn), step('next', 'sleep 339')], { identity: way.identity }), {})
    .catch((error: unknown) => error);
  await waitFor('the step', () => watch.running('sleep 332'), 20_000);
  return { watch, session, change };
}

async function noLocks() {
  const left =
    'ls -d /run/kpush.lock /run/kpush/step.* /run/user/*/kpush.lock /home/*/.cache/kpush/lock 2>/dev/null || true';
  const found = () => lab.sh('h1', left);
  await waitFor('no lock', async () => (await found()) === '', 2000).catch(() => {});
  assert.is(await found(), '');
}
