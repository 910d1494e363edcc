import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Identity } from '../../src/core/identity.ts';
import { SessionError, type Target } from '../../src/core/session.ts';
import type { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { ran, step, temp, trip, waitFor } from '../unit/remote/support.ts';
import { hostSession, password, remoteLab, Watch } from './remote-support.ts';

const test = suite('becoming another user', { timeout: 60_000 });
const root: Identity = { become: { method: 'sudo', user: 'root' } };
const ask = [{ script: 'id -un; kp_sep', records: 1 }];
let lab: Lab;

test(
  'the lab is up',
  async () => {
    lab = await remoteLab();
    await lab.sh('h1', [
      'sh',
      '-ec',
      `printf 'plain:%s\\n' "$1" | chpasswd; useradd -M -s /usr/sbin/nologin closed || true
    mkdir -p /home/closed/.ssh; cp /home/deploy/.ssh/authorized_keys /home/closed/.ssh/; chown -R closed: /home/closed
    useradd -m -s /bin/bash noisy || true; mkdir -p /home/noisy/.ssh; cp /home/deploy/.ssh/authorized_keys /home/noisy/.ssh/; chown -R noisy: /home/noisy
    printf 'echo noise; echo more >&2; printf "no newline"; umask 077; cd /tmp; set -- a b; export LC_ALL=de_DE.UTF-8 CDPATH=/ IFS=x\\n' | cat - /home/noisy/.bashrc >/tmp/rc; mv /tmp/rc /home/noisy/.bashrc; chmod 644 /home/noisy/.bashrc`,
      'sh',
      password,
    ]);
  },
  { timeout: 300_000 },
);

const failures: [what: string, login: Partial<Target>, identity: Identity, kind: string, text: RegExp, hint: RegExp][] =
  [
    [
      'no right to sudo',
      { user: 'plain' },
      root,
      'become',
      /cannot become root on h1 by sudo: .*(password is required|may not)/s,
      /password may be needed/,
    ],
    [
      'sudo wants a password and there is none',
      { user: 'asked' },
      root,
      'become',
      /a password is required/,
      /--ask-become-pass/,
    ],
    [
      'a wrong password',
      { user: 'asked', becomePassword: 'wrong' },
      root,
      'become',
      /cannot become root on h1 by sudo: wrong password$/,
      /^$/,
    ],
    [
      'a right password of one who may not',
      { user: 'plain', becomePassword: password },
      root,
      'become',
      /not in the sudoers file/,
      /may the login user do that/,
    ],
    [
      'a user that is not there',
      { user: 'deploy' },
      { become: { method: 'sudo', user: 'nobody-here' } },
      'become',
      /unknown user:? nobody-here/,
      /./,
    ],
    [
      'a way that is not there',
      {},
      { become: { method: 'magic', user: 'deploy' } },
      'become',
      /unknown way to become deploy: magic/,
      /one of: sudo, su, doas, runuser/,
    ],
    [
      'a login shell that lets nobody in',
      { user: 'closed' },
      {},
      'unreachable',
      /gave no usable shell .*currently not available/s,
      /log in by hand/,
    ],
  ];

for (const [what, login, identity, kind, text, hint] of failures)
  test(`${what}: one clear failure, nothing left behind`, async () => {
    const watch = new Watch(lab);
    const session = hostSession(lab, login);
    const started = Date.now();
    const error = await session.ask(identity, ask).catch((e: unknown) => e);
    assert.instance(error, SessionError);
    const { kind: got, message, transient, hint: said } = error as SessionError;
    assert.is(got, kind, message);
    assert.match(message, text);
    assert.match(said ?? '', hint);
    assert.is(transient, false);
    assert.ok(Date.now() - started < 15_000);
    assert.is(session.stats.connections, 1);
    await session.close();
    await watch.empty(3000);
  });

test('a wrong password is tried once', async () => {
  const attempts = () => lab.sh('h1', "journalctl -q -t sudo | grep -c 'password attempt' || true");
  const before = Number(await attempts());
  const session = hostSession(lab, { user: 'asked', becomePassword: 'wrong' });
  await session.ask(root, ask).catch(() => {});
  await session.close();
  await waitFor('the log', async () => Number(await attempts()) === before + 1);
  assert.match(
    await lab.sh('h1', "journalctl -q -t sudo | grep 'password attempt' | tail -n 1"),
    /: 1 incorrect password attempt/,
  );
});

test('the password is never in argv, environment or file of a process, nor in the log', async () => {
  const session = hostSession(lab, { user: 'asked', becomePassword: password });
  const change = session.change(trip([step('a', 'sleep 337')], { identity: root }), {}).catch(() => {});
  await waitFor('the step', () => lab.processes('h1').some(({ cmdline }) => cmdline.includes('337')), 20_000);
  const found = await lab.exec('h1', [
    'sh',
    '-c',
    'printf %s "$1" >/run/needle; for f in /proc/[0-9]*/cmdline /proc/[0-9]*/environ; do case $f in /proc/$$/*) ;; *) grep -aqFf /run/needle $f 2>/dev/null && echo $f; esac; done; journalctl -q | grep -cFf /run/needle; rm /run/needle',
    'sh',
    password,
  ]);
  // The searching shell itself has it in its argv; its forks are named by the same number.
  assert.is(found.stdout.trim().split('\n').at(-1), '0');
  const others = found.stdout.trim().split('\n').slice(0, -1);
  assert.equal(others, []);
  await session.close();
  await change;
});

test('rc files that print and change everything do no harm', async () => {
  const session = hostSession(lab, { user: 'noisy' });
  const blocks = [{ script: 'id -un; kp_sep; umask; kp_sep; echo "$LC_ALL:$LANG:$#"; kp_sep', records: 3 }];
  for (let n = 0; n < 2; n++) assert.equal(await session.ask({}, blocks), [['noisy\n', '0022\n', 'C:C:0\n']]);
  assert.is(ran(await session.change(trip([step('a', 'echo fine')]), {}))[0]?.stdout.toString(), 'fine\n');
  await session.close();
});

test('a user without root has a lock of its own, beside that of root', async () => {
  const [mine, roots] = [hostSession(lab, { user: 'deploy' }), hostSession(lab)];
  await mine.change(trip([step('a', 'true')]), {});
  assert.is((await roots.change(trip([step('a', 'true')], { run: 'other' }), {})).status, 'ran');
  assert.match(await lab.sh('h1', 'cat /run/user/1000/kpush.lock /run/kpush.lock'), /run-1[\s\S]*other/);
  const reply = await hostSession(lab, { user: 'deploy' }).change(trip([step('a', 'true')], { run: 'third' }), {});
  assert.is(reply.status, 'locked');
  await Promise.all([mine.close(), roots.close()]);
});

test('who has no home to write in works in a folder of /tmp of his own', async () => {
  const session = hostSession(lab);
  const identity: Identity = { become: { method: 'sudo', user: 'nobody' } };
  const blob = 'echo "$HOME"; ls -ld /tmp/kpush-65534 | cut -d" " -f1,3';
  const reply = await session.change(trip([step('a', blob)], { identity }), {});
  assert.is(ran(reply)[0]?.stdout.toString(), '/nonexistent\ndrwx------ nobody\n');
  await session.close();
});

test('who may not list the folder of who logged in stands in one that may be listed', async () => {
  await lab.sh('h1', 'chmod 700 /root /home/deploy');
  const session = hostSession(lab);
  const where = async (user: string) => {
    const reply = await session.change(
      trip([step('a', 'pwd')], { identity: { become: { method: 'sudo', user } } }),
      {},
    );
    return ran(reply)[0]?.stdout.toString();
  };
  assert.equal([await where('nobody'), await where('deploy')], ['/\n', '/home/deploy\n']);
  await session.close();
});

test('a folder there that someone else made is not used', async () => {
  await lab.sh('h1', 'rm -rf /tmp/kpush-65534; runuser -u deploy -- mkdir -m 777 /tmp/kpush-65534');
  const session = hostSession(lab);
  const identity: Identity = { become: { method: 'sudo', user: 'nobody' } };
  const reply = await session.change(trip([step('a', 'true')], { identity }), {}).catch((error: Error) => error);
  assert.match(JSON.stringify(reply) + String(reply), 'cannot write in /tmp/kpush-65534');
  const [source, bytes] = [join(temp(), 'blob'), Buffer.alloc(100_000)];
  writeFileSync(source, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const blob = { source, sha256, size: bytes.length, path: 'blob' };
  const staged = await session.stage(identity, blob, () => {}).catch((error: Error) => error.message);
  assert.match(String(staged), 'cannot write in /tmp/kpush-65534');
  assert.is(await lab.sh('h1', 'ls -A /tmp/kpush-65534; rm -r /tmp/kpush-65534'), '');
  await session.close();
});

test('the lab is left', () => lab.down());
test.run();
