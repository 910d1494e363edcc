import { basename } from 'node:path';
import * as assert from 'uvu/assert';
import type { Run, SystemdOp } from '../../../src/core/steps.ts';
import { type CompileOptions, compileRun } from '../../../src/remote/compile.ts';
import { splitWords } from '../../../src/remote/words.ts';
import { suite } from '../../support/harness.ts';
import { local, ran, shells, step, temp, trip, withSession } from './support.ts';

const test = suite('compiling runs', { timeout: 20_000 });

for (const shell of shells()) {
  const name = basename(shell);
  const output = (run: Run, options: CompileOptions = {}) =>
    withSession(local(shell), async (session) => {
      const [reply] = ran(await session.change(trip([step('a', '', compileRun(run, options))]), {}));
      return `${reply?.rc} ${reply?.stdout}${reply?.stderr}`;
    });

  test(`${name}: argument vectors arrive word by word`, async () => {
    const argv = ['printf', '[%s]', '', 'a b', "it's", '$HOME', '~', '-n', '*', '\\', 'é\n'];
    assert.is(await output({ kind: 'argv', argv }), "0 [][a b][it's][$HOME][~][-n][*][\\][é\n]");
    assert.match(await output({ kind: 'argv', argv: ['/no/such/program'] }), /^127 .*no/s);
  });

  test(`${name}: expand fills in known variables and a leading tilde, nothing else`, async () => {
    const argv = [
      'printf',
      '[%s]',
      '$V',
      '${V}x',
      '$NONE',
      '${NONE}',
      'a$V',
      '$V/~',
      '$(id)',
      '`id`',
      '$1',
      '~nobody-here',
      "'$V'",
    ];
    const got = await output({ kind: 'argv', argv, expand: true }, { env: { V: 'a  "b' } });
    assert.is(got, `0 [a  "b][a  "bx][$NONE][\${NONE}][aa  "b][a  "b/~][$(id)][\`id\`][$1][~nobody-here]['a  "b']`);
    assert.is(
      await output({ kind: 'argv', argv: ['echo', '~', '~/x', 'a~', '~root'], expand: true }),
      `0 ${process.env.HOME} ${process.env.HOME}/x a~ /root\n`,
    );
  });

  test(`${name}: environment, directory, umask, stdin and another shell`, async () => {
    const dir = temp();
    const options = { env: { A: "it's\n", B: '' }, cwd: dir, umask: 0o27 };
    assert.is(
      await output({ kind: 'sh', script: 'printf %s "$A[$B]"; pwd; umask' }, options),
      `0 it's\n[]${dir}\n0027\n`,
    );
    assert.match(await output({ kind: 'sh', script: 'echo never' }, { cwd: `${dir}/no` }), /^1 .*no/s);
    assert.is(await output({ kind: 'sh', script: 'cat', stdin: 'in\n' }), '0 in\n');
    assert.is(await output({ kind: 'argv', argv: ['cat'], stdin: "it's" }), "0 it's");
    const bash = {
      kind: 'sh' as const,
      script: '[[ a == a ]] && echo "$BASH_VERSINFO" | grep -c .; cat; exit 3',
      executable: '/bin/bash',
    };
    assert.is(await output({ ...bash, stdin: 'in' }), '3 1\nin');
    assert.is(await output(bash), '3 1\n');
  });

  test(`${name}: a script may end anyhow: comment, here-document, exit, no newline`, async () => {
    assert.is(await output({ kind: 'sh', script: 'echo a # comment' }), '0 a\n');
    assert.is(await output({ kind: 'sh', script: 'cat <<E\nb $((1+1))\nE' }), '0 b 2\n');
    assert.is(await output({ kind: 'sh', script: 'echo c; exit 9' }), '9 c\n');
    assert.is(await output({ kind: 'sh', script: 'read x; echo "[$x]"' }), '0 []\n');
  });

  test(`${name}: a brief script leaves nothing behind in the shell that runs it`, async () => {
    const dir = temp();
    const brief = (script: string) => ({ kind: 'sh' as const, script, brief: true });
    const options = { env: { A: "it's" }, cwd: dir, umask: 0o27 };
    const said = await withSession(local(shell), async (session) => {
      const runs = [
        compileRun(brief('echo "$A"; pwd; umask; read x; echo "[$x]"; cd /; exit 9 # end'), options),
        compileRun(brief('echo "[$A]"; umask; kill -s TERM $(exec sh -c \'echo $PPID\')')),
        compileRun(brief('echo last')),
      ];
      assert.ok(runs.every(({ inShell }) => inShell));
      const steps = runs.map((run, n) => step(`s${n}`, '', { ...run, onFail: 'go-on' }));
      return ran(await session.change(trip(steps), {})).map(({ rc, stdout }) => `${rc} ${stdout}`);
    });
    assert.equal(said, [`9 it's\n${dir}\n0027\n[]\n`, '143 []\n0022\n', '0 last\n']);
  });
}

test('a brief script with a timeout gets a group that can be ended', () => {
  const run = { kind: 'sh', script: 'mkdir /x', brief: true } as const;
  assert.equal(compileRun(run, { timeout: 5 }), { script: 'mkdir /x' });
  assert.equal(compileRun(run), { script: 'mkdir /x', inShell: true });
});

test('what cannot be said in sh is refused', () => {
  assert.throws(() => compileRun({ kind: 'argv', argv: ['a\0b'] }), /NUL/);
  assert.throws(() => compileRun({ kind: 'argv', argv: [] }), /empty/);
  assert.throws(() => compileRun({ kind: 'sh', script: '' }, { env: { 'A B': '' } }), /not a variable name/);
  const text = { kind: 'text' as const, text: 'x'.repeat(300_000) };
  assert.throws(() => compileRun({ kind: 'put', path: '/a', content: text, mode: 0o644 }), /staged first/);
  assert.throws(
    () => compileRun({ kind: 'put', path: '/a', content: { kind: 'text', text: '' }, mode: 0, validate: 'true' }),
    /%s/,
  );
});

test('validate words are split as shlex does', () => {
  assert.equal(splitWords(`a  'b c' "d \\" $e" f\\ g '' x'y'z`), ['a', 'b c', 'd " $e', 'f g', '', 'xyz']);
  assert.equal(splitWords(''), []);
});

const unit = (
  op: Exclude<SystemdOp['op'], 'daemon-reload' | 'daemon-reexec'>,
  name: string,
  noBlock = false,
): SystemdOp => ({ op, unit: name, ...(noBlock ? { noBlock } : {}) });
const calls = (ops: SystemdOp[], scope: 'system' | 'user' | 'global' = 'system') =>
  compileRun({ kind: 'systemd', ops, scope })
    .script.split('\n')
    .filter((line) => line.startsWith('systemctl'))
    .map((line) => line.split(' || ')[0]);

test('neighbouring systemd work becomes one call a verb and one reload', () => {
  const ops = [
    unit('enable', 'a.service'),
    unit('start', 'a.service'),
    unit('unmask', 'b.service'),
    unit('enable', 'b.service'),
    unit('start', 'b.service'),
  ];
  assert.equal(calls(ops), [
    'systemctl unmask --no-reload -- b.service',
    'systemctl enable --no-reload -- a.service b.service',
    'systemctl daemon-reload',
    'systemctl start -- a.service b.service',
  ]);
});

test('systemd work keeps its order where it matters', () => {
  assert.equal(calls([unit('start', 'a'), unit('stop', 'b')]), ['systemctl start -- a', 'systemctl stop -- b']);
  assert.equal(calls([unit('stop', 'a'), unit('start', 'b')]), ['systemctl stop -- a', 'systemctl start -- b']);
  assert.equal(calls([unit('start', 'a'), unit('disable', 'a')]), [
    'systemctl start -- a',
    'systemctl disable --no-reload -- a',
    'systemctl daemon-reload',
  ]);
});

test('a reload is asked for once, and only where it is', () => {
  assert.equal(calls([unit('restart', 'a')]), ['systemctl restart -- a']);
  assert.equal(calls([{ op: 'daemon-reload' }, { op: 'daemon-reload' }, unit('restart', 'a')]), [
    'systemctl daemon-reload',
    'systemctl restart -- a',
  ]);
  assert.equal(calls([{ op: 'daemon-reexec' }]), ['systemctl daemon-reexec']);
  assert.equal(calls([unit('enable', 'a')], 'global'), ['systemctl --global enable --no-reload -- a']);
  assert.equal(calls([unit('start', 'a', true), unit('start', 'b')], 'user'), [
    'systemctl --user start -- b',
    'systemctl --user start --no-block -- a',
  ]);
});

test.run();
