import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/harness.ts';
import { tempFolder } from '../support/temp.ts';
import { TestServer } from '../unit/transports/server.ts';
import { kpush } from './support/program.ts';

const trust = suite('kpush trust', { timeout: 60_000 });

trust('shows the keys of new hosts, writes them to the project after a yes, and finds them there', () =>
  withProject(async (server, dir) => {
    const { out, exit } = await kpush('', ['trust', '-i', 'inventory.yaml', '--accept'], { dir });
    assert.is(exit, 0);
    const name = `[127.0.0.1]:${server.port}`;
    const file = join(dir, 'known_hosts');
    assert.match(
      out,
      /^The key of this host is not known:\n {2}h1 \(\[127.0.0.1\]:\d+\) {2}ssh-ed25519 {2}SHA256:\S{43}\n/,
    );
    assert.ok(out.endsWith(`written to ${file}\n`), out);
    assert.match(readFileSync(file, 'utf8'), new RegExp(`^${name.replace(/[[\]]/g, '\\$&')} ssh-ed25519 \\S+\n$`));
    const again = await kpush('', ['trust', '-i', 'inventory.yaml'], { dir });
    assert.equal([again.exit, again.out], [0, 'the keys of all hosts are known\n']);
    const explained = await kpush('', ['explain', '-i', 'inventory.yaml', 'h1'], { dir });
    assert.ok(explained.out.includes(file), 'explain shows it among the known_hosts files');
  }),
);

trust('writes nothing where nobody can be asked', () =>
  withProject(async (_server, dir) => {
    const { exit, err } = await kpush('', ['trust', '-i', 'inventory.yaml'], { dir });
    assert.is(exit, 1);
    assert.match(err, /Nothing was written: compare the fingerprints, then say --accept/);
    assert.not.ok(existsSync(join(dir, 'known_hosts')));
  }),
);

trust('says which file cannot be written', () =>
  withProject(async (_server, dir) => {
    writeFileSync(join(dir, 'f'), '');
    const { exit, err } = await kpush('', ['trust', '-i', 'inventory.yaml', '--accept', '--file', 'f/x'], { dir });
    assert.is(exit, 1);
    assert.match(err, /^error: cannot write \S+\/f\/x: [^\n]*\n$/);
  }),
);

trust('does not call keys known where there are no hosts', async () => {
  const { exit, out } = await kpush('', ['trust'], { dir: tempFolder('trust') });
  assert.equal([exit, out], [0, 'no host is reached by ssh, nothing to do (is -i missing?)\n']);
});

trust('names hosts that cannot be met', () =>
  withProject(async (server, dir) => {
    await server.close();
    const { exit, err } = await kpush('', ['trust', '-i', 'inventory.yaml', '--accept'], { dir });
    assert.is(exit, 4);
    assert.match(err, /h1: 127\.0\.0\.1 port \d+: connection refused/);
  }),
);

trust('names a host that shows another key than the known one, and one known by a CA that ssh2 cannot ask', () =>
  withProject(async (server, dir) => {
    const [old, name] = [
      'AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f',
      `[127.0.0.1]:${server.port}`,
    ];
    const file = join(dir, 'known_hosts');
    for (const [line, told] of [
      [`${name} ssh-ed25519 ${old}`, /h1: .* its key has changed: \S+known_hosts:1 has ssh-ed25519 SHA256/],
      [`@cert-authority ${name} ssh-ed25519 ${old}`, /h1: .* known only by an @cert-authority line/],
    ] as const) {
      writeFileSync(file, `${line}\n`);
      const { exit, out, err } = await kpush('', ['trust', '-i', 'inventory.yaml', '--accept'], { dir });
      assert.is(exit, 4, out + err);
      assert.match(err.replace(/^\[127\S+ is/, 'h1: is'), told);
      assert.is(readFileSync(file, 'utf8'), `${line}\n`);
      assert.not.match(out, 'are known');
    }
  }),
);

trust('a known host that is down is told, and is no failure', () =>
  withProject(async (server, dir) => {
    await kpush('', ['trust', '-i', 'inventory.yaml', '--accept'], { dir });
    await server.close();
    const { exit, err } = await kpush('', ['trust', '-i', 'inventory.yaml'], { dir });
    assert.is(exit, 0);
    assert.match(err, /connection refused[\s\S]*Its key is known, and could not be compared/);
  }),
);

trust.run();

async function withProject(body: (server: TestServer, dir: string) => Promise<void>) {
  const server = await TestServer.start();
  const dir = tempFolder('trust');
  const host = `{ansible_host: 127.0.0.1, ansible_port: ${server.port}}`;
  writeFileSync(join(dir, 'inventory.yaml'), `all: {hosts: {h1: ${host}}}\n`);
  try {
    await body(server, dir);
  } finally {
    await server.close().catch(() => {}); // one test closes it itself
  }
}
