import { spawnSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { lint } from '../../../src/cli/lint.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';

const files = suite('lint: files that are none');

files('a link to itself, named or found, is an error of the input, and the rest is still read', () => {
  inFolder((folder) => {
    symlinkSync('loop.yml', join(folder, 'loop.yml'));
    writeFileSync(join(folder, 'play.yml'), '- hosts: all\n  tasks: []\n');
    const { files: count, errors } = lint(['.'], folder);
    assert.is(count, 2);
    assert.equal(
      errors.map(({ kind }) => kind),
      ['input'],
    );
    assert.throws(() => lint(['loop.yml'], folder), /cannot read .*loop\.yml/);
  });
});

files('a pipe in a searched folder is not waited for', () => {
  inFolder((folder) => {
    spawnSync('mkfifo', [join(folder, 'pipe.yml')]);
    assert.is(lint(['.'], folder).files, 0);
  });
});

files('an inventory of INI lines is linted too', () => {
  const folder = tempFolder('lint');
  writeFileSync(join(folder, 'hosts'), '[web]\nlocalhost:2222\nlocalhost:29007\n[web:childrn]\n');
  const { errors, warnings } = lint(['hosts'], folder);
  assert.match(errors.map(({ message }) => message).join(), 'childrn');
  writeFileSync(join(folder, 'hosts'), '[web]\nlocalhost:2222\nlocalhost:29007\n');
  assert.is(lint(['hosts'], folder).warnings.length, 1);
  assert.equal(warnings, []);
});

files('what an include names and is not there is a warning: it may never be come to', () => {
  inFolder((folder) => {
    const tasks = '    - include_tasks: gone.yml\n      when: false\n    - include_role: {name: nowhere}\n';
    writeFileSync(join(folder, 'play.yml'), `- hosts: all\n  tasks:\n${tasks}`);
    const { errors, warnings } = lint(['play.yml'], folder);
    assert.equal(errors, []);
    assert.equal(
      warnings.map(({ facts }) => facts.origin?.line),
      [3, 5],
    );
  });
});

files('what an included file holds is checked as the rest', () => {
  inFolder((folder) => {
    writeFileSync(join(folder, 'play.yml'), '- hosts: all\n  tasks:\n    - include_tasks: more.yml\n');
    writeFileSync(join(folder, 'more.yml'), '- command: x\n  loop: 5\n');
    const [error] = lint(['play.yml'], folder).errors;
    assert.match(error?.facts.origin?.file ?? '', /more\.yml$/);
    assert.is(error?.facts.origin?.line, 2);
  });
});

files.run();

function inFolder(run: (folder: string) => void) {
  const folder = tempFolder('lint');
  try {
    run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
