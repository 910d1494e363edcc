import * as assert from 'uvu/assert';
import type { SessionError } from '../../../src/core/session.ts';
import type { Connection } from '../../../src/remote/transport.ts';
import type { suite } from '../../support/harness.ts';
import { waitFor } from '../remote/support.ts';

export interface Opened {
  connection: Connection;
  end(): Promise<void>;
  /** How many processes there have this in their command line. */
  running(words: string): number;
  /** Seconds a command waits between floods on one stream and words on the other. */
  pause?: string;
}

/** What every transport keeps to, as tests of `test`. */
export function keepsTo(test: ReturnType<typeof suite>, name: string, open: () => Promise<Opened>): void {
  const check = (what: string, body: (connection: Connection, opened: Opened) => Promise<void>) =>
    test(`${name}: ${what}`, async () => {
      const opened = await open();
      const { connection, end } = opened;
      try {
        await body(connection, opened);
      } finally {
        await connection.close();
        await end();
      }
    });

  check('output of both streams and the code come before the end', async (connection) => {
    const got = await run(connection, 'printf out; printf err >&2; exit 9');
    assert.equal(got, { out: 'out', err: 'err', end: { code: 9, lost: false } });
  });

  check('a signal is no code', async (connection) => {
    assert.equal((await run(connection, 'kill -TERM $$')).end, { signal: 'SIGTERM', lost: false });
  });

  check('input arrives whole, with backpressure, and ends', async (connection) => {
    const input = Buffer.alloc(9_000_000, 'x');
    const { out } = await run(connection, 'sleep .3; wc -c', input);
    assert.is(out.trim(), '9000000');
  });

  check('a flood on a stream that nobody waits for does not block the other', async (connection, { pause = '0' }) => {
    const { out, err } = await run(connection, `head -c 6000000 /dev/zero >&2; sleep ${pause}; echo done`);
    assert.equal([out, err.length], ['done\n', 6_000_000]);
  });

  check('a command that ends without reading lets no write hang', async (connection) => {
    const channel = await connection.exec('exec <&-; sleep .2', { onStdout: () => {}, onStderr: () => {} });
    const outcome = await channel.write(Buffer.alloc(30_000_000)).catch((error: SessionError) => error.kind);
    // A quick sshd has taken all of it by then: it drops what nobody reads.
    assert.ok(outcome === 'lost' || outcome === undefined, String(outcome));
    assert.is((await channel.closed).lost, false);
  });

  check('closing a channel ends the input of its command, and tells no code', async (connection, { running }) => {
    const tag = `tag-${process.pid}-${name}`;
    const channel = await connection.exec(`sh -c 'cat; : ${tag}'`, { onStdout: () => {}, onStderr: () => {} });
    await waitFor('the command', () => running(tag) > 0);
    channel.close();
    assert.is((await channel.closed).lost, true);
    await waitFor('its end', () => running(`sh -c cat; : ${tag}`) === 0);
  });

  check('channels are independent', async (connection) => {
    const slow = run(connection, 'sleep .5; echo slow');
    assert.is((await run(connection, 'echo fast')).out, 'fast\n');
    assert.is((await slow).out, 'slow\n');
  });

  check('after close there is no channel, and close may be called again', async (connection) => {
    assert.ok(Date.now() - connection.lastInbound() < 60_000);
    await connection.close();
    await connection.close();
    assert.is(await connection.closed, undefined);
    const error = await connection
      .exec('true', { onStdout: () => {}, onStderr: () => {} })
      .catch((e: SessionError) => e);
    assert.is((error as SessionError).kind, 'lost');
  });
}

async function run(connection: Connection, command: string, input?: Buffer) {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const channel = await connection.exec(command, {
    onStdout: (chunk) => out.push(chunk),
    onStderr: (chunk) => err.push(chunk),
  });
  if (input) await channel.write(input);
  channel.end();
  const end = await channel.closed;
  return { out: Buffer.concat(out).toString('latin1'), err: Buffer.concat(err).toString('latin1'), end };
}
