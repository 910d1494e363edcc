import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { quote } from '../../../src/core/quote.ts';
import type { Fault } from '../support/fault.ts';
import { pause, until } from '../support/until.ts';

/** What is done to kpush itself, and to who watches it. */
export const kpushRows: Fault[] = [
  {
    fault: 'kpush killed -9',
    when: 'in a shell step',
    seen: 'the step, its shell and the lock are gone within 5 s',
    exit: 'SIGKILL',
    says: null,
    inject: async (on) => on.child.kill('SIGKILL'),
  },
  {
    fault: 'SIGTERM to kpush',
    when: 'in a shell step',
    seen: 'the step ended by itself, no other was started',
    exit: 130,
    says: /interrupt/i,
    inject: async (on) => {
      on.child.kill('SIGTERM');
      await pause(500);
      assert.not(on.isOver(), 'the step may end first');
      await on.go();
    },
    observe: async (on) => assert.is(on.text('/srv/f/c'), 'old\n'),
    fast: true,
  },
  {
    fault: 'SIGHUP to kpush (its terminal closed)',
    when: 'in a shell step',
    seen: 'the step ended by itself, no other was started',
    exit: 130,
    says: /interrupt/i,
    inject: async (on) => {
      on.child.kill('SIGHUP');
      await pause(300);
      await on.go();
    },
    observe: async (on) => assert.is(on.text('/srv/f/c'), 'old\n'),
  },
  {
    fault: 'Ctrl-C once',
    when: 'in a shell step',
    seen: 'the step ended by itself, no other was started',
    exit: 130,
    says: /interrupt/i,
    inject: async (on) => {
      on.child.kill('SIGINT');
      await pause(500);
      assert.not(on.isOver(), 'the step may end first');
      await on.go();
    },
    observe: async (on) => assert.is(on.text('/srv/f/c'), 'old\n'),
  },
  {
    fault: 'Ctrl-C twice',
    when: 'in a shell step',
    seen: 'the step was ended within 5 s',
    exit: 130,
    says: /interrupt/i,
    within: 5,
    inject: async (on) => {
      on.child.kill('SIGINT');
      await pause(300);
      on.child.kill('SIGINT');
    },
  },
  {
    fault: 'kpush stopped (SIGSTOP) for longer than the deadline',
    when: 'in a shell step',
    seen: 'the host ended the step by the deadline; kpush says so when it goes on',
    exit: 4,
    says: /heard nothing from us|was lost|ended/,
    inject: async (on) => {
      on.child.kill('SIGSTOP');
      await pause(9000);
      assert.not(on.lab.processes(on.host).some(({ cmdline }) => cmdline.join(' ').includes('/srv/f/go')));
      on.child.kill('SIGCONT');
    },
  },
  {
    fault: 'standard output closed (| head -1)',
    when: 'from the first line on',
    seen: 'the run went on to its end',
    exit: 0,
    says: null,
    start: (program, words) => [
      'bash',
      '-c',
      'set -o pipefail; "$@" | head -1; exit ${PIPESTATUS[0]}',
      'bash',
      process.execPath,
      program,
      ...words,
    ],
    observe: async (on) => assert.is(on.text('/srv/f/c'), 'old\nadded\n'),
  },
  {
    fault: 'standard output is a full disk (/dev/full)',
    when: 'from the first line on',
    seen: 'the run went on to its end',
    exit: 1,
    says: null,
    start: (program, words) => ['bash', '-c', '"$@" >/dev/full', 'bash', process.execPath, program, ...words],
    observe: async (on) => assert.is(on.text('/srv/f/c'), 'old\nadded\n'),
  },
  {
    fault: 'no terminal, no standard input, a hostile locale and umask 777',
    when: 'from the start',
    seen: 'files have the modes that were asked for',
    exit: 0,
    says: /3 changed on 1 host/,
    env: { LC_ALL: 'tr_TR.UTF-8', TERM: 'dumb', LANG: 'xx_YY' },
    start: (program, words) => [
      'bash',
      '-c',
      'umask 777; exec 0<&-; "$@"',
      'bash',
      process.execPath,
      program,
      ...words,
    ],
    observe: async (on) => assert.is(await on.sh('stat -c %a /srv/f/a'), '644'),
    fast: true,
  },
  {
    fault: 'the terminal resized, to 200 columns, to 12, to 1 and back',
    when: 'in a shell step, with the live display on',
    seen: 'the run went on to its end, its display with it',
    exit: 0,
    says: /3 changed on 1 host/,
    env: { TERM: 'xterm', CI: '' },
    start: (program, words) => [
      'script',
      '-qec',
      `stty cols 100 rows 30; exec ${[process.execPath, program, ...words].map(quote).join(' ')}`,
      '/dev/null',
    ],
    inject: async (on) => {
      const terminal = terminalBelow(on.child.pid!);
      for (const size of ['cols 200 rows 50', 'cols 12 rows 4', 'cols 1 rows 1', 'cols 0 rows 0', 'cols 100 rows 30']) {
        execFileSync('stty', ['-F', terminal, ...size.split(' ')]);
        await pause(400);
      }
      assert.not(on.isOver(), 'kpush ended');
      await on.go();
    },
    observe: async (on) => assert.match(on.output, /\x1b\[\?25l[\s\S]*\x1b\[\?25h/, 'the cursor is given back'),
  },
  {
    fault: "the controller's disk full",
    when: 'in the middle of the journal',
    seen: 'the run says that it is no longer recorded, and goes on; what was written can be read',
    exit: 0,
    says: /journal|recorded|no space/i,
    start: (program, words) => ['bash', '-c', smallDisk, 'bash', process.execPath, program, ...words],
    inject: async (on) => {
      await until(
        () => readFileSync(`/proc/${on.child.pid}/status`, 'utf8').length > 0,
        5,
        () => 'kpush is gone',
      );
      await on.go();
    },
    observe: async (on) => assert.is(on.text('/srv/f/c'), 'old\nadded\n'),
  },
];

/** The terminal that `script` made for what it runs. */
function terminalBelow(pid: number): string {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return readlinkSync(`/proc/${child}/fd/1`);
}

/** A disk of 16 KiB under .kpush, in a mount namespace of its own, that is full as soon as the run has begun. */
const smallDisk = `unshare -m bash -c 'mkdir .kpush && mount -t tmpfs -o size=16k tmpfs .kpush || exit 99
(sleep 1; head -c 100000 /dev/zero >.kpush/fill) 2>/dev/null &
"$@"' bash "$@"`;
