import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Blob, RemoteStep } from '../../src/core/session.ts';
import type { PutRun, SystemdOp } from '../../src/core/steps.ts';
import { compileRun } from '../../src/remote/compile.ts';
import type { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { tempFolder } from '../support/temp.ts';
import { ran, rejects, step, trip, waitFor } from '../unit/remote/support.ts';
import { hostSession, remoteLab, Watch } from './remote-support.ts';

const test = suite('faults on a host', { timeout: 60_000 });
let lab: Lab;

const put = (path: string, text: string, more: Partial<PutRun> = {}, options: Partial<RemoteStep> = {}) =>
  step(path, '', {
    ...compileRun({ kind: 'put', path, content: { kind: 'text', text }, mode: 0o644, ...more }),
    ...options,
  });
const goOn = { onFail: 'go-on' } as const;

test(
  'the lab is up',
  async () => {
    lab = await remoteLab();
  },
  { timeout: 300_000 },
);

test(
  'whenever all of it is killed, each file is old or new, and the next run leaves no temp',
  async () => {
    await lab.sh('h1', 'mkdir -p /srv/w');
    const size = 200_000;
    const text = (round: number) => `${String(round % 10).repeat(size - 1)}\n`;
    const kinds = new Set<string>();
    for (let round = 0; round < 14; round++) {
      const watch = new Watch(lab);
      const session = hostSession(lab);
      const steps = Array.from({ length: 12 }, (_, n) => put(`/srv/w/f${n}`, text(round)));
      // Killed while one of the files is written, each round another.
      let reached = () => {};
      const there = new Promise<void>((resolve) => {
        reached = resolve;
      });
      const live = { begin: (key: string) => void (key === `/srv/w/f${round % 12}` && reached()) };
      const change = session.change(trip(steps, { run: `round-${round}` }), live).catch(() => {});
      await there;
      // Again, for what was just being forked.
      for (let left = watch.ours(); left.length > 0; left = watch.ours())
        await lab.exec('h1', `kill -KILL ${left.map(({ pid }) => pid).join(' ')}`);
      await change;
      await session.close();
      await watch.empty(3000);
      const files = await lab.sh(
        'h1',
        'cd /srv/w; for f in f*; do [ -f $f ] && echo "$(wc -c <$f) $(tr -d "\\n" <$f | fold -w1 | sort -u | tr -d "\\n")"; done; true',
      );
      for (const line of files.split('\n').filter(Boolean)) {
        assert.match(line, new RegExp(`^${size} [0-9]$`), `round ${round}`);
        kinds.add(line.split(' ')[1]!);
      }
    }
    assert.ok(kinds.size > 1, 'kills came at different moments');
    const session = hostSession(lab);
    assert.equal(
      ran(await session.change(trip([put('/srv/w/f0', 'last')], { run: 'last' }), {})).map((s) => s.status),
      ['ok'],
    );
    await session.close();
    assert.is(await lab.sh('h1', 'ls -A /srv/w | grep kpush || true'), '');
  },
  { timeout: 120_000 },
);

test('a step that must finish and failed was told: no later run tells it again', async () => {
  for (let round = 0; round < 10; round++) {
    const session = hostSession(lab);
    const failing = step('failing', 'echo no >&2; exit 3', { onCut: 'finish' });
    const [failed] = ran(await session.change(trip([failing], { run: `failing-${round}` }), {}));
    assert.equal([failed?.status, failed?.rc], ['failed', 3]);
    await session.close();
    assert.is(await lab.sh('h1', 'ls -A /run/kpush; ls -d /run/kpush.lock 2>&1 || true'), lockGone, `round ${round}`);
  }
});
const lockGone = "ls: cannot access '/run/kpush.lock': No such file or directory";

test('a bind mount is named, and written in place only where that was asked for', async () => {
  await lab.sh(
    'h1',
    'mkdir -p /srv/m; echo old >/srv/m/real; touch /srv/m/bound; mount --bind /srv/m/real /srv/m/bound',
  );
  const session = hostSession(lab);
  const replies = ran(
    await session.change(
      trip([put('/srv/m/bound', 'no\n', {}, goOn), put('/srv/m/bound', 'yes\n', { unsafeWrites: true })]),
      {},
    ),
  );
  assert.match(replies[0]?.stderr.toString() ?? '', /^\/srv\/m\/bound is a mount point .* unsafe_writes: true/);
  assert.equal(
    replies.map((s) => s.status),
    ['failed', 'ok'],
  );
  assert.is(await lab.sh('h1', 'cat /srv/m/real; ls -A /srv/m; umount /srv/m/bound'), 'yes\nbound\nreal');
  await session.close();
});

test('a full disk keeps the old file and leaves no rest', async () => {
  await lab.sh(
    'h1',
    'mkdir -p /srv/full; mount -t tmpfs -o size=1m tmpfs /srv/full; echo old >/srv/full/f; head -c 900000 /dev/zero >/srv/full/fill',
  );
  const session = hostSession(lab);
  const [reply] = ran(await session.change(trip([put('/srv/full/f', 'x'.repeat(250_000), {}, goOn)]), {}));
  assert.is(reply?.status, 'failed');
  assert.match(reply?.stderr.toString() ?? '', /cannot write \/srv\/full\/f: no space left on \/srv\/full/);
  assert.is(await lab.sh('h1', 'cat /srv/full/f; ls -A /srv/full'), 'old\nf\nfill');
  const blob = blobOf(500_000, '/srv/full/blob');
  await rejects(
    session.stage({}, blob, () => {}),
    /is the disk full|cannot write/,
  );
  await lab.sh('h1', 'rm /srv/full/fill');
  await session.stage({}, blob, () => {});
  assert.is(await lab.sh('h1', 'sha256sum </srv/full/blob | cut -c1-64; umount /srv/full'), blob.sha256);
  await session.close();
});

for (const [what, roundTrip, deadline] of [
  ['an upload', 0, 3],
  ['an upload over several channels', 100_000, 12],
] as const)
  test(`${what} that was cut goes on where it was`, async () => {
    const blob = blobOf(12_000_000, '/srv/blob');
    await lab.limit('h1', '40mbit');
    const session = hostSession(lab, { keepaliveInterval: 1, keepaliveCount: 2 }, { deadline, beat: 500, roundTrip });
    const started: number[] = [];
    let sent = 0;
    const lost = session.stage({}, blob, (n) => (sent = n)).catch((error: Error) => error);
    await waitFor('half of it', () => sent > 5_000_000, 20_000);
    await lab.drop('h1');
    assert.instance(await lost, Error);
    await lab.undrop('h1');
    await lab.limit('h1', null);
    await session.stage({}, blob, (n) => void started.push(n));
    assert.ok(started[0]! >= 5_000_000 && started[0]! < blob.size, `went on at ${started[0]}`);
    assert.is(started.at(-1), blob.size);
    assert.is(
      await lab.sh('h1', 'sha256sum </srv/blob | cut -c1-64; ls /srv/blob* | grep -v lost'),
      `${blob.sha256}\n/srv/blob`,
    );
    await lab.sh('h1', 'rm /srv/blob*');
    await session.close();
  });

test('a part that is not the beginning of the file is sent anew', async () => {
  const blob = blobOf(300_000, '/srv/other');
  await lab.sh('h1', 'head -c 100000 /dev/urandom >/srv/other.part');
  const session = hostSession(lab, { user: 'deploy' });
  const seen: number[] = [];
  await session.stage({ become: { method: 'sudo', user: 'root' } }, blob, (n) => void seen.push(n));
  assert.is(seen[0], 0);
  assert.is(await lab.sh('h1', 'sha256sum </srv/other | cut -c1-64; stat -c %a /srv/other'), `${blob.sha256}\n600`);
  await session.close();
});

test('rekeying by the host, and one session a connection, are borne', async () => {
  await lab.sh(
    'h1',
    'systemd-run -q --unit sshd-odd /usr/sbin/sshd -D -p 2222 -o RekeyLimit=1M -o MaxSessions=1 -o PidFile=none',
  );
  const session = hostSession(lab, { port: 2222, connectionAttempts: 5 });
  const blob = blobOf(8_000_000, '/srv/rekeyed');
  await Promise.all([session.stage({}, blob, () => {}), session.ask({}, [{ script: 'kp_sep', records: 1 }])]);
  const back = await session.fetch({}, '/srv/rekeyed', 10_000_000);
  assert.is(createHash('sha256').update(back).digest('hex'), blob.sha256);
  assert.is(session.stats.connections, 2);
  await session.close();
  await lab.sh('h1', 'systemctl stop sshd-odd');
});

const unit = (text: string) => `[Unit]\nDescription=x\n[Service]\n${text}\n[Install]\nWantedBy=multi-user.target\n`;

test('units are started together, and one that dies soon after is found at the end of the trip', async () => {
  const session = hostSession(lab);
  const units = {
    good: 'ExecStart=/bin/sleep 100',
    once: 'Type=oneshot\nExecStart=/bin/true',
    dies: 'ExecStart=/bin/sh -c "echo last words; sleep 0.4; exit 3"',
    again: 'Restart=always\nRestartSec=100ms\nExecStart=/bin/sh -c "sleep 0.3; exit 3"',
    brief: 'ExecStart=/bin/sh -c "sleep 0.3"',
  };
  const names = Object.keys(units);
  const ops = names.flatMap((name): SystemdOp[] => [
    { op: 'enable', unit: `${name}.service` },
    { op: 'start', unit: `${name}.service` },
  ]);
  const steps = [
    ...Object.entries(units).map(([name, text]) => put(`/etc/systemd/system/${name}.service`, unit(text))),
    step('units', '', compileRun({ kind: 'systemd', ops, scope: 'system' })),
    step('after', 'true'),
  ];
  const replies = ran(await session.change(trip(steps), {}));
  const [started, after] = replies.slice(-2);
  assert.equal([started?.status, started?.rc, after?.status], ['failed', 1, 'ok'], started?.stderr.toString());
  const said = started?.stderr.toString() ?? '';
  assert.match(said, /^dies\.service did not stay up: failed, result exit-code/m);
  assert.match(said, /^again\.service did not stay up: \S+, result \S+, restarts 0, then [1-9]/m);
  assert.match(said, /last words/);
  assert.not.match(said, /(good|once|brief)\.service did not/);
  assert.is(
    await lab.sh('h1', `systemctl is-enabled ${names.map((n) => `${n}.service`).join(' ')} | sort -u`),
    'enabled',
  );
  const good: SystemdOp[] = [{ op: 'restart', unit: 'good.service' }];
  const again = step('again', '', compileRun({ kind: 'systemd', ops: good, scope: 'system' }));
  assert.is(ran(await session.change(trip([again]), {}))[0]?.status, 'ok');
  await session.close();
});

test('a unit that cannot start fails its step with the last lines of its log', async () => {
  const session = hostSession(lab);
  const ops: SystemdOp[] = [{ op: 'daemon-reload' }, { op: 'start', unit: 'bad.service' }];
  const replies = ran(
    await session.change(
      trip([
        put(
          '/etc/systemd/system/bad.service',
          unit('Type=oneshot\nExecStart=/bin/sh -c "echo what went wrong; exit 9"'),
        ),
        step('start', '', compileRun({ kind: 'systemd', ops, scope: 'system' })),
      ]),
      {},
    ),
  );
  assert.is(replies[1]?.status, 'failed');
  assert.match(replies[1]?.stderr.toString() ?? '', /what went wrong/);
  await session.close();
});

test('the lab is left', () => lab.down());
test.run();

function blobOf(size: number, path: string): Blob {
  const bytes = randomBytes(size);
  const source = join(tempFolder('blob'), 'source');
  writeFileSync(source, bytes);
  return { source, size, path, sha256: createHash('sha256').update(bytes).digest('hex') };
}
