import { symlinkSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/harness.ts';
import { local, processesWith, ran, shells, step, temp, trip, withSession } from '../unit/remote/support.ts';

const test = suite('step timeouts', { timeout: 20_000 });

for (const shell of [...shells(), withoutSetsid()]) {
  const name = basename(shell);

  test(`${name}: a timeout ends the step's whole group, even one that ignores TERM`, () =>
    withSession(local(shell), async (session) => {
      const tag = `tag${process.pid}${name}`;
      const steps = [
        step('polite', `sh -c 'sleep 61; : ${tag}'`, { timeout: 1, onFail: 'go-on' }),
        step('deaf', `trap '' TERM; sh -c 'trap "" TERM; while :; do sleep 1; done; : ${tag}'`, {
          timeout: 1,
          onFail: 'go-on',
        }),
        step('quick', 'true', { timeout: 5 }),
      ];
      const reply = await session.change(trip(steps), {});
      assert.equal(
        ran(reply).map((s) => s.status),
        ['timeout', 'timeout', 'ok'],
      );
      assert.equal(processesWith(tag), []);
    }));
}

test.run();

/** A host without setsid(1): sh and the few tools a trip needs, nothing else in PATH. */
function withoutSetsid(): string {
  const dir = temp();
  for (const tool of ['cat', 'dd', 'sleep', 'sh', 'mkdir', 'rm', 'rmdir', 'mv', 'date'])
    symlinkSync(`/usr/bin/${tool}`, `${dir}/${tool}`);
  const shell = `${dir}/sh-without-setsid`;
  writeFileSync(shell, `#!/bin/sh\nPATH=${dir} exec /bin/sh "$@"\n`, { mode: 0o755 });
  return shell;
}
