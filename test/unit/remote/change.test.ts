import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as assert from 'uvu/assert';
import type { SessionError } from '../../../src/core/session.ts';
import { suite } from '../../support/harness.ts';
import { local, ran, rejects, shells, step, temp, trip, withSession } from './support.ts';

const test = suite('change trips', { timeout: 20_000 });
const record = (script: string) => ({ script, records: 1 });
const broken = (change: Promise<unknown>) =>
  change.then(
    () => assert.unreachable('it did not break off'),
    (error) => error as SessionError,
  ) as Promise<SessionError>;
const seen = (error: SessionError) => error.seen.map((s) => [s.key, s.status, s.stdout.toString(), s.proof]);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

for (const shell of shells()) {
  const name = basename(shell);

  test(`${name}: steps report code, both streams, proofs; the next questions come along`, () =>
    withSession(local(shell), async (session) => {
      const steps = [
        step('a', 'echo out; echo err >&2; printf "no newline"', {
          proof: [record('echo p; kp_sep'), record('kp_sep')],
        }),
        step('b', 'cat; exit 3', { stdin: "it's in\n", okCodes: [0, 3] }),
        step('c', 'echo shell; false', { inShell: true, onFail: 'go-on' }),
        step('d', 'cat; echo "[$#]" >&2; exit 1', { onFail: 'go-on' }),
      ];
      const reply = await session.change(trip(steps, {}, [record('echo next; kp_sep')]), {});
      const view = ran(reply).map((s) => [s.key, s.status, s.rc, s.stdout.toString(), s.stderr.toString(), s.proof]);
      assert.equal(view, [
        ['a', 'ok', 0, 'out\nno newline', 'err\n', [['p\n'], ['']]],
        ['b', 'ok', 3, "it's in\n", '', []],
        ['c', 'failed', 1, 'shell\n', '', []],
        ['d', 'failed', 1, '', '[0]\n', []],
      ]);
      assert.equal(reply.status === 'ran' && [reply.next, reply.stopped], [[['next\n']], false]);
    }));

  test(`${name}: what an earlier run left to be reported leaves nothing where the shell stands`, async () => {
    const stateDir = temp();
    const left = join(stateDir, 'runs/old-run/7');
    mkdirSync(left, { recursive: true });
    for (const [file, text] of Object.entries({ key: 'k\n', rc: '0\n', out: '', err: '' }))
      writeFileSync(join(left, file), text);
    await withSession(local(shell, { stateDir }), async (session) => {
      const [first] = ran(await session.change(trip([step('a', 'pwd')]), {}));
      const folder = first!.stdout.toString().trim();
      assert.is(ran(await session.change(trip([step('b', 'true')]), {}))[0]?.status, 'ok');
      assert.not.ok(existsSync(join(folder, '7')), folder);
    });
  });

  test(`${name}: a failure that says stop ends the trip; what follows is not run`, () =>
    withSession(local(shell), async (session) => {
      const file = join(temp(), 'never');
      const steps = [
        step('a', 'exit 7'),
        step('b', `echo >${file}`),
        step('c', `echo >${file}`, { inShell: true }),
        step('d', `echo >${file}`, { onCut: 'finish' }),
      ];
      const reply = await session.change(trip(steps, {}, [record('kp_sep')]), {});
      assert.equal(
        ran(reply).map((s) => s.status),
        ['failed', 'not-run', 'not-run', 'not-run'],
      );
      assert.equal(reply.status === 'ran' && [reply.next, reply.stopped], [[], true]);
      assert.not.ok(existsSync(file));
    }));

  test(`${name}: facts of several steps are read once, after the last of them, whatever became of it`, () =>
    withSession(local(shell), async (session) => {
      const dir = temp();
      const proof = [record(`cat ${dir}/f; kp_sep`)];
      const write = (key: string, script: string, provedAfter: number) =>
        step(key, `cd ${dir} && ${script}`, { inShell: true, provedAfter, proof: provedAfter ? [] : proof });
      const steps = (fails: string) => [
        write('a', 'echo a >f', 2),
        write('b', fails || 'echo b >>f', 1),
        write('c', 'echo c >>f', 0),
        step('d', `echo d >>${dir}/f`, { proof }),
      ];
      const proofs = async (fails = '') =>
        ran(await session.change(trip(steps(fails)), {})).map((s) => [s.status, ...s.proof.flat()]);
      assert.equal(await proofs(), [
        ['ok', 'a\nb\nc\n'],
        ['ok', 'a\nb\nc\n'],
        ['ok', 'a\nb\nc\n'],
        ['ok', 'a\nb\nc\nd\n'],
      ]);
      assert.equal(await proofs('exit 1'), [['ok', 'a\n'], ['failed', 'a\n'], ['not-run'], ['not-run']]);
    }));

  test(`${name}: a trip that breaks off says nothing of steps whose facts were still to be read`, () =>
    withSession(local(shell), async (session) => {
      const proof = [record('echo p; kp_sep')];
      const steps = (dies: string) => [
        step('a', 'echo a', { inShell: true, provedAfter: 1 }),
        step('b', dies, { inShell: true, proof }),
        step('c', 'kill -KILL $PPID', { proof }),
      ];
      assert.equal(seen(await broken(session.change(trip(steps('echo b')), {}))), [
        ['a', 'ok', 'a\n', [['p\n']]],
        ['b', 'ok', 'b\n', [['p\n']]],
      ]);
      assert.equal(seen(await broken(session.change(trip(steps('kill -KILL $$')), {}))), []);
    }));

  test(`${name}: a trip that breaks off says which steps were over, their proofs read`, () =>
    withSession(local(shell), async (session) => {
      const proof = [record('echo p; kp_sep')];
      const steps = [step('a', 'echo out', { proof }), step('b', ':'), step('c', 'kill -9 $PPID; sleep 9', { proof })];
      assert.equal(seen(await broken(session.change(trip(steps), {}))), [
        ['a', 'ok', 'out\n', [['p\n']]],
        ['b', 'ok', '', []],
      ]);
    }));

  test(`${name}: live output comes while the step runs, in whole characters`, () =>
    withSession(local(shell), async (session) => {
      const events: string[] = [];
      const live = {
        begin: (key: string) => void events.push(`begin ${key}`),
        output: (key: string, stream: string, text: string) => void events.push(`${key} ${stream} ${text}`),
        end: (key: string, rc: number) => void events.push(`end ${key} ${rc} ${events.length > 1}`),
      };
      await session.change(
        trip([step('a', "printf 'x\\303'; sleep .2; printf '\\244'; sleep .2; echo y >&2; sleep .2")]),
        live,
      );
      assert.equal(
        events,
        ['begin a', 'a stdout x', 'a stdout ä', 'a stderr y', 'a stderr \n', 'end a 0 true'].filter((e) =>
          events.includes(e),
        ),
      );
      assert.is(
        events
          .filter((e) => e.startsWith('a stdout'))
          .map((e) => e.slice(9))
          .join(''),
        'xä',
      );
    }));

  test(`${name}: a guard that holds lets the steps run, one that does not writes nothing`, () =>
    withSession(local(shell), async (session) => {
      const dir = temp();
      const guard = (text: string) => ({
        blocks: [record('printf "a\\n"; kp_sep'), record('printf b; kp_sep')],
        sha256: sha256(text),
      });
      const write = step('w', `echo >${dir}/written`);
      assert.equal(await session.change(trip([write], { guard: guard('other') }), {}), { status: 'stale' });
      assert.not.ok(existsSync(`${dir}/written`));
      assert.is(ran(await session.change(trip([write], { guard: guard('a\n\nb\n') }), {}))[0]?.status, 'ok');
      assert.ok(existsSync(`${dir}/written`));
    }));

  test(`${name}: asks and changes without steps leave nothing on the host`, async () => {
    const state = temp();
    await withSession(local(shell, { stateDir: `${state}/s` }), async (session) => {
      await session.ask({}, [record('kp_sep')]);
      const guard = { blocks: [record('kp_sep')], sha256: sha256('\n') };
      const reply = await session.change(trip([], { guard }, [record('echo t; kp_sep')]), {});
      assert.equal(reply.status === 'ran' && reply.next, [['t\n']]);
      assert.not.ok(existsSync(`${state}/s`));
      await session.change(trip([step('a', 'true')]), {});
      assert.match(readFileSync(`${state}/s/lock`, 'utf8'), /\nrun-1\nme@here\n/);
    });
    await gone(`${state}/s/lock`);
    await gone(`${state}/s/runs/run-1`);
  });

  test(`${name}: after a trip that is the last the shell goes by itself; another opens a new one`, async () => {
    const stateDir = temp();
    await withSession(local(shell, { stateDir }), async (session) => {
      const last = trip([step('a', 'echo $PPID')], { last: true });
      const first = ran(await session.change(last, {}))[0]?.stdout.toString();
      await gone(`${stateDir}/lock`);
      await gone(`${stateDir}/runs/run-1`);
      const { sent } = session.stats;
      const second = ran(await session.change(last, {}))[0]?.stdout.toString();
      assert.is.not(second, first);
      assert.ok(session.stats.sent - sent > 4000, 'libraries are sent anew');
    });
  });

  test(`${name}: the last trip waits for a goodbye where something was kept until the controller has it`, async () => {
    const stateDir = temp();
    await withSession(local(shell, { stateDir }), async (session) => {
      const change = trip([step('a', 'echo out', { onCut: 'finish' })], { last: true });
      assert.is(ran(await session.change(change, {}))[0]?.stdout.toString(), 'out\n');
      assert.ok(existsSync(`${stateDir}/runs/run-1`));
      assert.equal(await session.ask({}, [record('echo still; kp_sep')]), [['still\n']]);
    });
    await gone(`${stateDir}/runs/run-1`);
    await gone(`${stateDir}/lock`);
  });

  test(`${name}: stop lets the running step end and starts no other`, () =>
    withSession(local(shell), async (session) => {
      const steps = [
        step('a', 'echo 1; sleep .8; echo 2'),
        step('b', 'echo never'),
        step('c', 'echo never', { inShell: true }),
      ];
      const reply = await session.change(trip(steps, {}, [record('kp_sep')]), { output: () => session.stop() });
      assert.equal(
        ran(reply).map((s) => [s.status, s.stdout.toString()]),
        [
          ['ok', '1\n2\n'],
          ['not-run', ''],
          ['not-run', ''],
        ],
      );
      assert.is(reply.status === 'ran' && reply.stopped, true);
      await rejects(session.change(trip([step('a', 'true')]), {}), /stopped/);
      assert.equal(await session.ask({}, [record('echo still; kp_sep')]), [['still\n']]);
    }));

  test(`${name}: a flood keeps head and tail, in bounded memory`, () =>
    withSession(local(shell), async (session) => {
      const before = process.memoryUsage().arrayBuffers;
      const flood = 'echo first; yes | head -c 60000000; echo last; head -c 3000000 /dev/zero >&2';
      const [reply] = ran(await session.change(trip([step('a', flood)]), {}));
      assert.ok(reply?.truncated);
      assert.ok((reply?.stdout.length ?? 0) <= 1024 * 1024 + 100);
      assert.match(reply?.stdout.toString() ?? '', /^first\ny\n[\s\S]*bytes dropped[\s\S]*y\nlast\n$/);
      assert.ok(process.memoryUsage().arrayBuffers - before < 100_000_000);
    }));

  test(`${name}: a step cannot forge frames or spoil the shell`, () =>
    withSession(local(shell), async (session) => {
      const steps = [
        step('forge', 'printf "\\n0123456789abcdef0123456789abcdef end s 0 0\\n"; exit 5', { onFail: 'go-on' }),
        step('broken', 'echo before\nif then (', { onFail: 'go-on' }),
        step('env', 'kp_halt=1; kp_m=x; cd /; exec 1>&-; kill -USR1 $$; exit 0', { onFail: 'go-on' }),
        step('last', 'echo fine'),
      ];
      const replies = ran(await session.change(trip(steps), {}));
      assert.equal(
        replies.map((s) => s.status),
        ['failed', 'failed', 'failed', 'ok'],
      );
      assert.is(replies[3]?.stdout.toString(), 'fine\n');
    }));

  test(`${name}: large texts go in whole`, () =>
    withSession(local(shell, { openTimeout: 15_000 }), async (session) => {
      const text = "it's a line with $dollar and \\ and 'quotes'\n".repeat(20_000);
      const [reply] = ran(
        await session.change(trip([step('a', `printf %s '${text.replaceAll("'", "'\\''")}' | sha256sum`)]), {}),
      );
      assert.is(reply?.stdout.toString().slice(0, 64), sha256(text));
    }));
}

test.run();

async function gone(path: string) {
  for (let n = 0; n < 50 && existsSync(path); n++) await new Promise((resolve) => setTimeout(resolve, 40));
  assert.not.ok(existsSync(path), path);
}
