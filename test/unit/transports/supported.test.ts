import ssh2 from 'ssh2';
import * as assert from 'uvu/assert';
import { SessionError, type Target } from '../../../src/core/session.ts';
import { algorithmList } from '../../../src/resolve/ssh-config/algorithms.ts';
import { algorithms } from '../../../src/transports/ssh/dial.ts';
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

test('host key algorithms that somebody names are offered in their order, whatever key is known', () => {
  const wanted = ['sk-ssh-ed25519@openssh.com', 'rsa-sha2-512', 'ssh-ed25519'];
  assert.equal(algorithms(target({ hostKeyAlgorithms: wanted }), []).serverHostKey, ['rsa-sha2-512', 'ssh-ed25519']);
  assert.ok((algorithms(target({ address: 'h' }), []).serverHostKey as string[]).length > 3);
});

// ssh2 throws at once for an algorithm it does not have.
test('ssh2 takes all that is left of what OpenSSH has', () => {
  const all = (kind: Parameters<typeof algorithmList>[0], more: string) => algorithmList(kind, `+${more}`) ?? [];
  const wanted = target({
    ciphers: all('ciphers', '3des-cbc,aes128-cbc,aes192-cbc,aes256-cbc'),
    macs: all('macs', 'hmac-md5,hmac-sha1-96,hmac-md5-96'),
    kex: all(
      'kexalgorithms',
      'diffie-hellman-group1-sha1,diffie-hellman-group-exchange-sha1,diffie-hellman-group14-sha1',
    ),
    hostKeyAlgorithms: all('hostkeyalgorithms', 'ssh-rsa,ssh-dss'),
  });
  const client = new ssh2.Client();
  client.on('error', () => {});
  const offered = {
    cipher: usable(wanted, 'ciphers'),
    hmac: usable(wanted, 'macs'),
    kex: usable(wanted, 'kex'),
    serverHostKey: usable(wanted, 'hostKeyAlgorithms'),
  };
  assert.throws(
    () =>
      client.connect({
        host: '127.0.0.1',
        port: 1,
        username: 'x',
        algorithms: { ...offered, hmac: ['umac-64@openssh.com'] } as never,
      }),
    /Unsupported algorithm/,
  );
  client.connect({ host: '127.0.0.1', port: 1, username: 'x', algorithms: offered as never });
  client.destroy();
});
test.run();
