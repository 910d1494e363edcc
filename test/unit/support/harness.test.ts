import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';

const guard = suite('test harness', { timeout: 30_000 });
const harness = new URL('../../support/harness.ts', import.meta.url).pathname;
const worker = new URL('../../support/worker.ts', import.meta.url).pathname;

guard('a passing test passes', () => assert.is(verdict("t('ok', () => {}); t.run();"), 'ok'));
guard('a file that forgets .run() fails', () =>
  assert.match(verdict("t('never', () => {});"), /declared but never ran/),
);
guard('a file without tests fails', () => assert.match(verdict(''), /declares no test/));
guard('a hanging test fails', () =>
  assert.match(verdict("t('hang', () => new Promise(() => {}), { timeout: 50 }); t.run();"), /timed out after 50 ms/),
);
guard('a file that cannot load fails', () => assert.match(verdict('throw new Error("boom")'), /boom/));
guard.run();

/** Error text of the first failed test of a file with this body, or 'ok'. */
function verdict(body: string): string {
  const file = join(tempFolder('harness'), 'x.test.ts');
  writeFileSync(file, `import { suite } from ${JSON.stringify(harness)}; const t = suite('x'); ${body}`);
  const script = `import { fork } from 'node:child_process';
    const c = fork(${JSON.stringify(worker)}, [${JSON.stringify(file)}], { execArgv: ['--import', 'tsx'], silent: true });
    c.on('message', (m) => console.log(m.reports.find((r) => r.error)?.error ?? 'ok'));`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout.trim();
}
