import ssh2 from 'ssh2';
import * as assert from 'uvu/assert';
import { SessionError, type Target } from '../../../src/core/session.ts';
import { algorithmList } from '../../../src/resolve/ssh-config/algorithms.ts';
import { usable } from '../../../src/transports/ssh/supported.ts';
import { suite } from '../../support/harness.ts';

const test = suite('transports/supported');
const target = (part: Partial<Target>) => ({ host: 'h', ...part }) as Target;

test('what ssh2 lacks is left out, in the wanted order', () => {
  const ciphers = ['aes256-ctr', 'none-such', 'aes128-gcm@openssh.com'];
  assert.equal(usable(target({ ciphers }), 'ciphers'), ['aes256-ctr', 'aes128-gcm@openssh.com']);
  assert.is(usable(target({}), 'ciphers'), undefined);
});

test('nothing left is an error that says what to do', () => {
  assert.throws(
    () => usable(target({ macs: ['umac-64@openssh.com'] }), 'macs'),
    (error: unknown) =>
      error instanceof SessionError && !error.transient && /^it has: hmac-sha2-256-etm/.test(error.hint ?? ''),
  );
});

// ssh2 throws at once for an algorithm it does not have.
test('ssh2 takes all that is left of what OpenSSH has', () => {
  const all = (kind: 'ciphers' | 'macs' | 'kexalgorithms', more: string) => algorithmList(kind, `+${more}`) ?? [];
  const wanted = target({
    ciphers: all('ciphers', '3des-cbc,aes128-cbc,aes192-cbc,aes256-cbc'),
    macs: all('macs', 'hmac-md5,hmac-sha1-96,hmac-md5-96'),
    kex: all(
      'kexalgorithms',
      'diffie-hellman-group1-sha1,diffie-hellman-group-exchange-sha1,diffie-hellman-group14-sha1',
    ),
  });
  const client = new ssh2.Client();
  client.on('error', () => {});
  const algorithms = {
    cipher: usable(wanted, 'ciphers'),
    hmac: usable(wanted, 'macs'),
    kex: usable(wanted, 'kex'),
  };
  assert.throws(
    () =>
      client.connect({
        host: '127.0.0.1',
        port: 1,
        username: 'x',
        algorithms: { ...algorithms, hmac: ['umac-64@openssh.com'] } as never,
      }),
    /Unsupported algorithm/,
  );
  client.connect({ host: '127.0.0.1', port: 1, username: 'x', algorithms: algorithms as never });
  client.destroy();
});
test.run();
