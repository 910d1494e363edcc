import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { Blob, BlobSource, Session } from '../../../src/core/session.ts';
import { suite } from '../../support/harness.ts';
import { local, shells, temp } from '../../unit/remote/support.ts';

const test = suite('blobs from host to host', { timeout: 60_000 });
const bytes = Buffer.alloc(3_000_000, 'some content; ');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const token = 'a'.repeat(32);
/** Those that find Perl: a host that has nothing but busybox serves nothing, and takes nothing. */
const able = shells().filter((shell) => basename(shell) !== 'busybox-only');

for (const shell of able) {
  const name = basename(shell);

  test(`${name}: a blob is served and taken, and nothing of it stays but the blob`, async () => {
    await between(shell, async ({ one, other, server, client }) => {
      writeFileSync(server.path, bytes);
      const { at, has } = await one.serve({}, server, '127.0.0.1', token);
      assert.is(has, true);
      assert.is(await other.pull({}, client, source(at!)), 'done');
      assert.ok(readFileSync(client.path).equals(bytes));
      assert.equal(readdirSync(join(client.path, '..')), ['blob']);
    });
  });

  test(`${name}: it is handed on while it comes in, and gone on with where it broke off`, async () => {
    await between(shell, async ({ one, other, server, client }) => {
      writeFileSync(`${server.path}.part`, bytes.subarray(0, 1_000_000));
      const { at, part } = await one.serve({}, server, 'lo', token);
      assert.is(part, true);
      assert.is(await other.pull({}, client, source(at!, { patience: 1 })), 'short');
      assert.is(readFileSync(`${client.path}.part`).length, 1_000_000);
      const taking = other.pull({}, client, source(at!, { fresh: false }));
      await pause(300);
      writeFileSync(`${server.path}.part`, bytes.subarray(1_000_000), { flag: 'a' });
      assert.is(await taking, 'done');
      assert.ok(readFileSync(client.path).equals(bytes));
    });
  });

  test(`${name}: wrong bytes are thrown away, a wrong token is refused, and so is a port where nobody is`, async () => {
    await between(shell, async ({ one, other, server, client }) => {
      writeFileSync(server.path, Buffer.alloc(bytes.length, 'x'));
      const { at } = await one.serve({}, server, '127.0.0.1', token);
      assert.is(await other.pull({}, client, source(at!)), 'wrong');
      assert.equal(readdirSync(join(client.path, '..')), []);
      assert.is(await other.pull({}, client, source(at!, { token: 'b'.repeat(32) })), 'refused');
      assert.is(await other.pull({}, client, source({ ...at!, port: 1 })), 'refused');
    });
  });

  test(`${name}: the server goes with its session, and no token is in an argument`, async () => {
    const { session, blob } = made(shell);
    writeFileSync(blob.path, bytes);
    const { at } = await session.serve({}, blob, '127.0.0.1', token);
    assert.ok(argumentsOf(blob.path).length > 0, 'the server is seen');
    assert.is(argumentsOf(token).length, 0);
    await session.close();
    for (let waited = 0; argumentsOf(blob.path).length > 0; waited++) {
      assert.ok(waited < 50, 'the server is still there after 5 s');
      await pause(100);
    }
    assert.is(await answers(at!.port), false);
  });
}

test('without Perl, and at an address that is not of the host, nothing is served', async () => {
  const { session, blob } = made(able[0]!);
  try {
    assert.is((await session.serve({}, blob, '192.0.2.1', token)).at, undefined);
    assert.is((await session.serve({}, blob, 'nowhere0', token)).at, undefined);
  } finally {
    await session.close();
  }
  const bare = shells().find((shell) => basename(shell) === 'busybox-only');
  if (!bare) return;
  const host = made(bare);
  try {
    assert.equal(await host.session.serve({}, host.blob, '127.0.0.1', token), {
      has: false,
      part: false,
      at: undefined,
    });
    assert.is(await host.session.pull({}, host.blob, source({ address: '127.0.0.1', port: 1 })), 'refused');
  } finally {
    await host.session.close();
  }
});

test.run();

interface Pair {
  one: Session;
  other: Session;
  server: Blob;
  client: Blob;
}

async function between(shell: string, use: (pair: Pair) => Promise<void>): Promise<void> {
  const [one, other] = [made(shell), made(shell)];
  try {
    await use({ one: one.session, other: other.session, server: one.blob, client: other.blob });
  } finally {
    await Promise.all([one.session.close(), other.session.close()]);
  }
}

function made(shell: string): { session: Session; blob: Blob } {
  const folder = join(temp(), 'kpush');
  mkdirSync(folder);
  return { session: local(shell), blob: { source: '', sha256, size: bytes.length, path: join(folder, 'blob') } };
}

function source(at: { address: string; port: number }, more: Partial<BlobSource> = {}): BlobSource {
  return { ...at, token, patience: 5, fresh: true, ...more };
}

/** Processes of this machine with such an argument. */
function argumentsOf(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/cmdline`))
    .filter((name) => commandOf(name).includes(text));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // it has ended
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
