import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type AptJob, aptScript } from '../../../src/modules/lib/apt-script.ts';
import { parseSpec } from '../../../src/modules/lib/package-spec.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';
import { shells } from '../world/shells.ts';

const jobs = suite('apt jobs', { timeout: 30_000 });
const root = tempFolder('apt');
process.on('exit', () => rmSync(root, { recursive: true, force: true }));

const lock = 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1 (apt)';

/** What each call of apt-get does in turn: exit code, what it says on stderr and stdout. The last one stays. */
type Turn = { verb?: string; rc?: number; err?: string; out?: string };

interface Ran {
  rc: number;
  stdout: string;
  stderr: string;
  /** Verbs of apt-get and calls of dpkg, in order. */
  calls: string[];
  slept: string[];
}

let count = 0;

/** Runs a job with stand-ins for apt-get, dpkg, dpkg-query and sleep. */
function run(shell: string[], job: Partial<AptJob>, turns: Turn[], installed = ''): Ran {
  const place = join(root, String(count++));
  const bin = join(place, 'bin');
  mkdirSync(bin, { recursive: true });
  turns.forEach((turn, index) => {
    writeFileSync(join(place, `${index}.err`), turn.err ? `${turn.err}\n` : '');
    writeFileSync(join(place, `${index}.out`), turn.out ? `${turn.out}\n` : '');
    writeFileSync(join(place, `${index}.rc`), String(turn.rc ?? 0));
  });
  const tool = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  tool(
    'apt-get',
    `echo "apt-get $*" >>${place}/calls
n=$(cat ${place}/n 2>/dev/null || echo 0); echo $((n+1)) >${place}/n
[ $n -lt ${turns.length} ] || n=${turns.length - 1}
cat ${place}/$n.out; cat ${place}/$n.err >&2; exit $(cat ${place}/$n.rc)`,
  );
  tool('dpkg', `echo "dpkg $*" >>${place}/calls; [ "$1" != --compare-versions ] || exec /usr/bin/dpkg "$@"`);
  tool('dpkg-query', `printf %s '${installed}'; [ -n '${installed}' ]`);
  tool('sleep', `echo "$1" >>${place}/slept`);
  const full: AptJob = { runs: [['install', 'x']], lockTimeout: 300, tries: 3, delay: 7, verify: [], ...job };
  const done = spawnSync(shell[0]!, [...shell.slice(1), '-s'], {
    input: aptScript(full),
    env: { PATH: `${bin}:${process.env.PATH}`, TMPDIR: place },
    encoding: 'utf8',
  });
  const lines = (file: string) =>
    existsSync(join(place, file)) ? readFileSync(join(place, file), 'utf8').trim().split('\n') : [];
  const calls = lines('calls').map((line) => line.replace(/ -y -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=\d+/, ''));
  assert.equal(
    spawnSync('sh', ['-c', `ls -d ${place}/tmp.*`], { encoding: 'utf8' }).stdout,
    '',
    'a temporary folder is left',
  );
  return { rc: done.status ?? -1, stdout: done.stdout, stderr: done.stderr, calls, slept: lines('slept') };
}

// busybox sleeps by itself, so its waits are real: only what does not wait is run there.
const patient = Object.entries(shells).filter(([name]) => name !== 'ash');

for (const [name, shell] of Object.entries(shells)) {
  jobs(`${name}: both streams come through and the exit code is apt-get's`, () => {
    const good = run(shell, {}, [{ out: 'done', err: 'W: careful' }]);
    assert.equal([good.rc, good.stdout, good.stderr], [0, 'done\n', 'W: careful\n']);
    const bad = run(shell, {}, [{ rc: 42, err: 'E: something else' }]);
    assert.equal([bad.rc, bad.calls], [42, ['apt-get install x']]);
  });
  jobs(`${name}: an E: line counts although apt-get exits with 0`, () => {
    assert.is(run(shell, {}, [{ err: 'E: a sub-process said so' }]).rc, 100);
  });
  jobs(`${name}: one run after the other, none after a failure`, () => {
    const runs = [['remove', 'a'], ['autoclean']];
    assert.equal(run(shell, { runs }, [{}]).calls, ['apt-get remove a', 'apt-get autoclean']);
    assert.equal(run(shell, { runs }, [{ rc: 1 }]).calls, ['apt-get remove a']);
  });
  jobs(`${name}: the version at the end is checked`, () => {
    const verify = [parseSpec('x>=1.4.21~'), parseSpec('y=3')];
    assert.is(run(shell, { verify }, [{}], '1.4.21~rc1').rc, 0);
    const old = run(shell, { verify }, [{}], '1.4.20');
    assert.is(old.rc, 100);
    assert.match(old.stderr, /kpush: x: version >= 1.4.21~ is asked for, installed is 1.4.20/);
    assert.match(run(shell, { verify }, [{}]).stderr, /installed is none/);
  });
  jobs(`${name}: arguments reach apt-get as they are`, () => {
    assert.equal(run(shell, { runs: [['install', "a'b", 'c d*']] }, [{}]).calls, ["apt-get install a'b c d*"]);
  });
}

for (const [name, shell] of patient) {
  jobs(`${name}: a lock is waited for`, () => {
    const done = run(shell, {}, [{ rc: 100, err: lock }, { rc: 100, err: lock }, {}]);
    assert.is(done.rc, 0);
    assert.equal(done.slept, ['3', '3']);
    assert.match(done.stderr, /kpush: waits for process 1 \(/);
  });
  jobs(`${name}: who holds a lock for too long is named`, () => {
    const done = run(shell, { lockTimeout: 0 }, [{ rc: 100, err: lock }]);
    assert.is(done.rc, 100);
    assert.equal(done.slept, []);
    assert.match(done.stderr, /kpush: the package manager is still locked after 0 s, by process 1 \(/);
  });
  jobs(`${name}: a lock that may not be opened is not waited for`, () => {
    const denied =
      'E: Could not open lock file /var/lib/dpkg/lock-frontend - open (13: Permission denied)\nE: Unable to acquire the dpkg frontend lock, are you root?';
    assert.equal(run(shell, {}, [{ rc: 100, err: denied }]).slept, []);
  });
  jobs(`${name}: what cannot be fetched is tried again, the indexes first`, () => {
    const trouble = { rc: 100, err: 'E: Failed to fetch http://x  Connection timed out' };
    const done = run(shell, {}, [trouble, {}, {}]);
    assert.is(done.rc, 0);
    assert.equal(done.calls, ['apt-get install x', 'apt-get update', 'apt-get install x']);
    assert.equal(done.slept, ['7']);
    const never = run(shell, {}, [trouble]);
    assert.is(never.rc, 100);
    assert.is(never.calls.filter((call) => call === 'apt-get install x').length, 3);
  });
  jobs(`${name}: a package that fresh indexes do not have is given up`, () => {
    const unknown = { rc: 100, err: 'E: Unable to locate package x' };
    assert.equal(run(shell, {}, [unknown, {}, unknown]).calls, [
      'apt-get install x',
      'apt-get update',
      'apt-get install x',
    ]);
    assert.equal(run(shell, { update: { tries: 1, maxDelay: 1 } }, [{}, unknown]).calls, [
      'apt-get update',
      'apt-get install x',
    ]);
  });
  jobs(`${name}: an index that failed counts although apt-get update exits with 0`, () => {
    const half = { out: 'Err:1 http://x InRelease', err: 'W: Some index files failed to download.' };
    const update = { tries: 3, maxDelay: 3 };
    const healed = run(shell, { update }, [half, {}, {}]);
    assert.equal([healed.rc, healed.slept], [0, ['2']]);
    const broken = run(shell, { update }, [half]);
    assert.equal([broken.rc, broken.slept], [100, ['2', '3']]);
    assert.match(broken.stderr, /kpush: the package indexes could not be loaded/);
    assert.not.ok(broken.calls.includes('apt-get install x'));
    assert.is(run(shell, { update }, [{ err: 'W: a warning' }, {}]).rc, 0);
  });
  jobs(`${name}: an interrupted dpkg is configured, broken dependencies are mended, once`, () => {
    const interrupted = {
      rc: 100,
      err: "E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct the problem.",
    };
    assert.equal(run(shell, {}, [interrupted, {}]).calls, [
      'apt-get install x',
      'dpkg --configure -a --force-confdef --force-confold',
      'apt-get install x',
    ]);
    assert.is(run(shell, {}, [interrupted]).calls.filter((call) => call.startsWith('dpkg')).length, 1);
    const unmet = { rc: 100, err: "E: Unmet dependencies. Try 'apt --fix-broken install' with no packages" };
    assert.equal(run(shell, {}, [unmet, {}, {}]).calls, [
      'apt-get install x',
      'apt-get -f install',
      'apt-get install x',
    ]);
  });
}

jobs.run();
