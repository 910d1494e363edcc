import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as assert from 'uvu/assert';
import { onOpened } from '../../../src/modules/lib/opened.ts';
import { suite } from '../../support/harness.ts';
import { shells, temp } from '../../unit/remote/support.ts';

/** What a mode or an owner is given to, where somebody else can write to the directory. */
const t = suite('what was opened gets mode and owner');
const modeOf = (path: string) => statSync(path).mode & 0o7777;

for (const shell of shells()) {
  const say = (text: string) => spawnSync(shell, [], { input: text, encoding: 'utf8' });
  const name = basename(shell);

  t(`${name}: files, folders and what is neither`, () => {
    const dir = temp();
    writeFileSync(`${dir}/a b'c`, '');
    mkdirSync(`${dir}/sub`);
    spawnSync('mkfifo', [`${dir}/pipe`]);
    for (const path of [`${dir}/a b'c`, `${dir}/sub`, `${dir}/pipe`]) {
      const done = say(onOpened(path, ['chmod 00750', 'chmod g-x']));
      assert.equal([done.status, done.stderr, modeOf(path)], [0, '', 0o740]);
    }
  });

  t(`${name}: a link where the file was gets nothing, nor does what it names`, () => {
    const dir = temp();
    writeFileSync(`${dir}/victim`, 'kept', { mode: 0o600 });
    for (const [link, target] of [
      ['to-file', 'victim'],
      ['to-folder', '.'],
      ['to-nothing', 'none'],
    ] as const) {
      symlinkSync(`${dir}/${target}`, `${dir}/${link}`);
      const before = modeOf(dir);
      const done = say(onOpened(`${dir}/${link}`, ['chmod 00777']));
      assert.is(done.status, 1, link);
      assert.match(done.stderr, /something else took its place/);
      assert.equal([modeOf(`${dir}/victim`), modeOf(dir)], [0o600, before]);
    }
  });

  t(`${name}: a link put there between the look and the act gets nothing`, () => {
    const dir = temp();
    writeFileSync(`${dir}/victim`, 'kept', { mode: 0o600 });
    writeFileSync(`${dir}/file`, 'old', { mode: 0o600 });
    const swap = `rm -f ${dir}/file; ln -s ${dir}/victim ${dir}/file; chmod 00777`;
    assert.is(say(onOpened(`${dir}/file`, [swap])).status, 0);
    assert.equal([modeOf(`${dir}/victim`), readFileSync(`${dir}/victim`, 'utf8')], [0o600, 'kept']);
  });
}

t.run();
