import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Target } from '../../../src/core/session.ts';
import { knownHostsLine } from '../../../src/transports/ssh/known-hosts.ts';
import { isKnownKey, trustAnew } from '../../../src/transports/trust.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';

const anew = suite('known anew');

/** A key of ed25519 that is told from others by a byte. */
function blob(byte: number): Buffer {
  const field = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  return Buffer.concat([field(Buffer.from('ssh-ed25519')), field(Buffer.alloc(32, byte))]);
}

const word = (byte: number) => `ssh-ed25519 ${blob(byte).toString('base64')}`;
const target = (file: string) =>
  ({ address: '192.0.2.1', port: 22, knownHostsFiles: [file], hashKnownHosts: false }) as unknown as Target;

function written(lines: string): string {
  const file = join(tempFolder('known'), 'known_hosts');
  writeFileSync(file, lines);
  return file;
}

anew('the lines that name the host go, hashed ones too; all others stay as they are', async () => {
  const kept = `# mine\n192.0.2.10 ${word(1)}\n@revoked 192.0.2.1 ${word(3)}\n`;
  const file = written(`${kept}192.0.2.1,h1 ${word(1)}\n${knownHostsLine('192.0.2.1', blob(2), true)}`);
  chmodSync(file, 0o640);
  assert.is(await isKnownKey(target(file), blob(1)), true);
  await trustAnew(target(file), blob(9));
  assert.is(readFileSync(file, 'utf8'), `${kept}192.0.2.1 ${word(9)}\n`);
  assert.is(statSync(file).mode & 0o777, 0o640);
  assert.equal([await isKnownKey(target(file), blob(1)), await isKnownKey(target(file), blob(9))], [false, true]);
});

anew('a line that is about others, too, is not touched: it is refused by its place', async () => {
  const file = written(`192.0.2.* ${word(1)}\n`);
  await trustAnew(target(file), blob(9)).then(
    () => assert.unreachable('it was trusted'),
    (error: Error) => assert.match(error.message, `${file}:1 still names 192.0.2.1 with its old key`),
  );
  assert.is(readFileSync(file, 'utf8'), `192.0.2.* ${word(1)}\n`);
});

anew('a file that is not there yet is made', async () => {
  const file = join(tempFolder('known'), 'new');
  await trustAnew(target(file), blob(9));
  assert.is(readFileSync(file, 'utf8'), `192.0.2.1 ${word(9)}\n`);
});

anew.run();
