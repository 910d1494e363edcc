import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { SessionError } from '../../../src/core/session.ts';
import type { Channel, Connection, Transport } from '../../../src/remote/transport.ts';
import { localTransport } from '../../../src/transports/local.ts';
import { suite } from '../../support/harness.ts';
import { local, rejects, shells, temp, waitFor, withSession } from './support.ts';

const test = suite('an upload over several channels', { timeout: 60_000 });

const content = randomBytes(24 * 1024 * 1024 + 12_345);
const sha256 = createHash('sha256').update(content).digest('hex');
/** No machine is that far away: the link is wide as soon as a window is through. */
const roundTrip = 100_000;

function blobIn(dir: string) {
  writeFileSync(join(dir, 'source'), content);
  return { source: join(dir, 'source'), sha256, size: content.length, path: join(dir, 'blob') };
}

/** This machine behind a link that lets each channel send so much at once; what each sent. `channels`: it gives no more. */
function farLink({ channels = 8, after = async (_sent: number) => {} } = {}) {
  const sent: number[] = [];
  const wrap = (channel: Channel, n: number): Channel => ({
    ...channel,
    write: async (data) => {
      await channel.write(data);
      if (data.length < 100_000) return;
      sent[n]! += data.length;
      await after(sent.reduce((sum, bytes) => sum + bytes));
      await pause(15);
    },
  });
  const far = (connection: Connection): Connection => ({
    closed: connection.closed,
    close: () => connection.close(),
    lastInbound: () => connection.lastInbound(),
    exec: async (command, handlers) => {
      if (sent.length === channels) throw new SessionError('unreachable', 'channel', 'no more channels');
      const n = sent.push(0) - 1;
      return wrap(await connection.exec(command, handlers), n);
    },
  });
  const transport: Transport = { connect: async (target, signal) => far(await localTransport.connect(target, signal)) };
  return { transport, sent };
}

/** Nobody has a file open there any more. */
function isQuiet(dir: string): boolean {
  const pids = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name));
  return !pids.flatMap(openFiles).some((file) => file.startsWith(`${dir}/blob`));
}

function openFiles(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  } catch {
    return []; // it ended meanwhile
  }
}

for (const shell of shells()) {
  const name = basename(shell);

  test(`${name}: each brings its share, and nothing but the file stays`, async () => {
    const dir = temp();
    const { transport, sent } = farLink();
    const seen: number[] = [];
    await withSession(local(shell, { transport, roundTrip }), async (session) => {
      await session.stage({}, blobIn(dir), (there) => void seen.push(there));
      assert.is(session.stats.connections, 1);
    });
    assert.ok(readFileSync(join(dir, 'blob')).equals(content));
    assert.equal(readdirSync(dir).sort(), ['blob', 'source']);
    assert.is(sent.length, 4);
    assert.ok(Math.min(...sent) > 1024 * 1024, `sent: ${sent}`);
    assert.equal([seen[0], seen.at(-1)], [0, content.length]);
    assert.equal(
      seen,
      [...seen].sort((a, b) => a - b),
    );
  });

  test(`${name}: one that was cut goes on at the end of what is whole`, async () => {
    const dir = temp();
    const blob = blobIn(dir);
    const cut = new AbortController();
    const { transport, sent } = farLink({ after: async (all) => void (all > 15e6 && cut.abort()) });
    await withSession(local(shell, { transport, roundTrip }), (session) =>
      rejects(
        session.stage({}, blob, () => {}, cut.signal),
        /interrupted/,
      ),
    );
    assert.ok(Math.min(...sent) > 0, `sent: ${sent}`);
    await waitFor('its end', () => existsSync(`${blob.path}.part`) && isQuiet(dir));
    const part = readFileSync(`${blob.path}.part`);
    assert.ok(part.length > 2e6 && part.equals(content.subarray(0, part.length)), `${part.length} bytes are there`);
    const seen: number[] = [];
    const again = farLink();
    await withSession(local(shell, { transport: again.transport, roundTrip }), (session) =>
      session.stage({}, blob, (there) => void seen.push(there)),
    );
    assert.is(seen[0], part.length);
    assert.ok(readFileSync(blob.path).equals(content));
    assert.equal(readdirSync(dir).sort(), ['blob', 'source']);
  });

  test(`${name}: what an earlier run still writes does not get into it`, async () => {
    const dir = temp();
    const blob = blobIn(dir);
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let isHeld = false;
    const first = farLink({
      after: async (all) => {
        isHeld ||= all > 8e6;
        if (isHeld) await held;
      },
    });
    await withSession(local(shell, { transport: first.transport, roundTrip }), async (before) => {
      const earlier = before.stage({}, blob, () => {}).catch(() => {});
      await waitFor('a part', () => isHeld && existsSync(`${blob.path}.part`), 20_000);
      const second = farLink({ after: async (all) => void (all > 4e6 && letGo()) });
      await withSession(local(shell, { transport: second.transport, roundTrip }), (session) =>
        session.stage({}, blob, () => {}),
      );
      await earlier;
    });
    assert.ok(readFileSync(blob.path).equals(content));
  });

  test(`${name}: a host that gives no further channel gets the file by one`, async () => {
    const dir = temp();
    const { transport, sent } = farLink({ channels: 1 });
    await withSession(local(shell, { transport, roundTrip }), async (session) => {
      await session.stage({}, blobIn(dir), () => {});
      assert.is(session.stats.connections, 1);
    });
    assert.is(sent.length, 1);
    assert.ok(readFileSync(join(dir, 'blob')).equals(content));
  });

  test(`${name}: a file that becomes shorter meanwhile is told, and never takes its place`, async () => {
    const dir = temp();
    const blob = blobIn(dir);
    const { transport } = farLink({
      after: async (all) => void (all > 8e6 && statSync(blob.source).size > 12e6 && truncateSync(blob.source, 12e6)),
    });
    await withSession(local(shell, { transport, roundTrip }), (session) =>
      rejects(
        session.stage({}, blob, () => {}),
        /source changed while it was sent/,
      ),
    );
    assert.not.ok(readdirSync(dir).includes('blob'));
  });
}

test.run();
