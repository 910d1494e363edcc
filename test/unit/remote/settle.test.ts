import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as assert from 'uvu/assert';
import { settleLibrary } from '../../../src/remote/settle.sh.ts';
import { suite } from '../../support/harness.ts';
import { shells, temp } from './support.ts';

const test = suite('what was started is looked at again');

/** A systemctl that answers every question with one unit, as it is now. */
const now = (...values: string[]) =>
  ['Id=a.service', ...values, 'MainPID=7', 'NRestarts=0'].map((line) => `echo ${line}`).join(';');
const failed = now('Type=simple', 'ActiveState=failed', 'Result=exit-code');

for (const shell of shells()) {
  const name = basename(shell);

  test(`${name}: a unit that reached a state which says enough is not waited for`, () => {
    const files = [
      'a.service oneshot active success 0 0 systemctl\nb.service notify active success 9 0 systemctl\n',
      '',
    ];
    assert.equal(settled(shell, files, failed), { said: '', left: 0 });
  });

  test(`${name}: one pause serves all steps that started a process`, () => {
    const line = 'a.service simple active success 7 0 systemctl\n';
    const files = [
      'b.service forking active success 5 0 systemctl\n',
      `b.service dbus active success 5 0 x\n${line}`,
      line,
    ];
    const well = now('Type=simple', 'ActiveState=active', 'Result=success');
    assert.equal(settled(shell, files, well), {
      said: 'sleep 1|begin x 1|end x 1 0|begin x 2|end x 2 0|',
      left: 0,
    });
    assert.is(settled(shell, files.slice(2), failed).said, 'sleep 1|begin x 0|end x 0 1|');
  });

  test(`${name}: what a unit was last started as counts`, () => {
    const lines = ['simple', 'oneshot'].map((type) => `a.service ${type} active success 7 0 systemctl\n`);
    assert.is(settled(shell, [lines.join('')], failed).said, 'sleep 1|begin x 0|end x 0 0|');
  });
}

test.run();

/** What a trip does at its end after steps that left `files`; `systemctl` is what that says then. */
function settled(shell: string, files: string[], systemctl: string) {
  const dir = temp();
  mkdirSync(join(dir, 'run'));
  for (const [n, text] of files.entries()) writeFileSync(join(dir, 'run', `started.${n}`), text);
  const stubs = `sleep() { printf '%s|' "sleep $1"; };kp_2() { printf '%s|' "$*"; };kp_live() { :; };systemctl() { ${systemctl}; }`;
  const script = `kp_k=${dir} kp_n=run\n${stubs}\n${settleLibrary}\nkp_settle\n`;
  const { stdout, status } = spawnSync(shell, ['-s'], { input: script, encoding: 'utf8' });
  assert.is(status, 0);
  return { said: stdout, left: readdirSync(join(dir, 'run')).length };
}
