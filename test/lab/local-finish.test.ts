import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/harness.ts';
import { local, ran, shells, step, temp, trip, waitFor, withSession } from '../unit/remote/support.ts';

const test = suite('steps that must finish', { timeout: 20_000 });

for (const shell of shells()) {
  const name = basename(shell);

  test(`${name}: they stream, end with their code and leave nothing`, async () => {
    const stateDir = temp();
    await withSession(local(shell, { stateDir }), async (session) => {
      const texts: string[] = [];
      const steps = [
        step('apt: x', 'echo one; sleep .6; echo two >&2; exit 3', { onCut: 'finish', onFail: 'go-on' }),
        step('b', 'true'),
      ];
      const replies = ran(
        await session.change(trip(steps), {
          output: (key, stream, text) => void texts.push(`${key} ${stream} ${text}`),
        }),
      );
      assert.equal(
        replies.map((s) => [s.status, s.rc, s.stdout.toString(), s.stderr.toString()]),
        [
          ['failed', 3, 'one\n', 'two\n'],
          ['ok', 0, '', ''],
        ],
      );
      assert.ok(texts[0]?.startsWith('apt: x stdout one'));
    });
    await waitFor('tidiness', () => !existsSync(`${stateDir}/runs/run-1`));
  });

  test(`${name}: without room for what it says, its code is known all the same`, async () => {
    const stateDir = temp();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', stateDir]);
    try {
      await withSession(local(shell, { stateDir }), async (session) => {
        for (const code of [3, 0]) {
          const long = step(`apt: x${code}`, `yes | head -c 200000; exit ${code}`, {
            onCut: 'finish',
            onFail: 'go-on',
          });
          const [reply] = ran(await session.change(trip([long]), {}));
          assert.equal([reply?.status, reply?.rc], [code === 0 ? 'ok' : 'failed', code]);
          assert.match(reply?.stderr.toString() ?? '', /could not be kept in .*: no space left there\?/);
        }
      });
      await waitFor('tidiness', () => !existsSync(`${stateDir}/runs/run-1`));
    } finally {
      execFileSync('umount', ['-l', stateDir]);
    }
  });

  const cut = async (stateDir: string, file: string, seconds = 1.5) => {
    const session = local(shell, { stateDir });
    const long = step(
      'apt: long',
      `echo start >>${file}; echo begun; sleep ${seconds}; echo finished; echo end >>${file}; exit 4`,
      { onCut: 'finish', okCodes: [4] },
    );
    const lost = session.change(trip([long]), {}).catch((error: Error) => error);
    await waitFor('the start', () => existsSync(file));
    await session.close();
    await lost;
    return long;
  };

  test(`${name}: cut off, the same run adopts it: it is not run twice, and its output and code are whole`, async () => {
    const [stateDir, file] = [temp(), `${temp()}/log`];
    const long = await cut(stateDir, file);
    await withSession(local(shell, { stateDir }), async (session) => {
      const replies = ran(await session.change(trip([long, step('b', `cat ${file}`)]), {}));
      assert.equal(
        replies.map((s) => [s.status, s.rc, s.stdout.toString()]),
        [
          ['ok', 4, 'begun\nfinished\n'],
          ['ok', 0, 'start\nend\n'],
        ],
      );
    });
    await waitFor('tidiness', () => !existsSync(`${stateDir}/runs/run-1`));
  });

  test(`${name}: cut off, another run waits for it and reports it once, before its guard`, async () => {
    const [stateDir, file] = [temp(), `${temp()}/log`];
    await cut(stateDir, file);
    await withSession(local(shell, { stateDir }), async (session) => {
      const guard = { blocks: [{ script: `cat ${file}; kp_sep`, records: 1 }], sha256: '0'.repeat(64) };
      const stale = await session.change(trip([step('b', 'true')], { run: 'run-2', guard }), {});
      assert.is(stale.status, 'stale');
      const adopted = stale.status === 'stale' ? stale.adopted : undefined;
      assert.equal(
        adopted?.map((s) => [s.run, s.key, s.rc, s.stdout.toString()]),
        [['run-1', 'apt: long', 4, 'begun\nfinished\n']],
      );
      assert.is(readFileSync(file, 'utf8'), 'start\nend\n');
      const reply = await session.change(trip([step('b', 'true')], { run: 'run-2' }), {});
      assert.is(reply.status === 'ran' && reply.adopted, undefined);
    });
    await waitFor('tidiness', () => readdirSync(`${stateDir}/runs`).length === 0);
  });

  test(`${name}: stop ends the waiting for it, not the step`, async () => {
    const [stateDir, file] = [temp(), `${temp()}/log`];
    const owner = `${stateDir}/lock`;
    await cut(stateDir, file, 6);
    await waitFor('the old shell to go', () => !existsSync(`${stateDir}/lock`));
    await withSession(local(shell, { stateDir }), async (session) => {
      const holds = () => existsSync(owner) && readFileSync(owner, 'utf8').includes('run-2');
      // It waits for the step from a moment after it has the lock.
      const stopping = waitFor('the lock', holds).then(() => setTimeout(() => session.stop(), 700));
      const reply = await session.change(trip([step('b', 'true')], { run: 'run-2' }), {});
      assert.equal(
        ran(reply).map((s) => s.status),
        ['not-run'],
      );
      assert.equal(reply.status === 'ran' && reply.adopted?.map((s) => s.rc), [-1]);
      await stopping;
      await waitFor('the step', () => readFileSync(file, 'utf8') === 'start\nend\n', 10_000);
    });
  });
}

test.run();
