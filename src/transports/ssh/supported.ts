import { SessionError, type Target } from '../../core/session.ts';

/** What ssh2 1.17 can do of what OpenSSH names; umac, sntrup and mlkem are missing. */
const supported = {
  ciphers: [
    ...['chacha20-poly1305@openssh.com', 'aes128-gcm@openssh.com', 'aes256-gcm@openssh.com'],
    ...['aes128-ctr', 'aes192-ctr', 'aes256-ctr', 'aes128-cbc', 'aes192-cbc', 'aes256-cbc', '3des-cbc'],
  ],
  macs: [
    ...['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha1-etm@openssh.com'],
    ...['hmac-sha2-256', 'hmac-sha2-512', 'hmac-sha1', 'hmac-sha1-96', 'hmac-md5', 'hmac-md5-96'],
  ],
  kex: [
    ...['curve25519-sha256', 'curve25519-sha256@libssh.org'],
    ...['ecdh-sha2-nistp256', 'ecdh-sha2-nistp384', 'ecdh-sha2-nistp521'],
    ...['diffie-hellman-group-exchange-sha256', 'diffie-hellman-group-exchange-sha1'],
    ...['diffie-hellman-group14-sha256', 'diffie-hellman-group16-sha512', 'diffie-hellman-group18-sha512'],
    ...['diffie-hellman-group14-sha1', 'diffie-hellman-group1-sha1'],
  ],
  /** No certificates, and no keys of security tokens. */
  hostKeyAlgorithms: [
    ...['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'],
    ...['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa', 'ssh-dss'],
  ],
} as const;

/**
 * The wanted algorithms that ssh2 has, in the wanted order: it refuses to start with any other. undefined: none are
 * asked for. Throws a SessionError when none is left.
 */
export function usable(target: Target, kind: keyof typeof supported): string[] | undefined {
  const wanted = target[kind];
  if (!wanted) return undefined;
  const left = wanted.filter((name) => (supported[kind] as readonly string[]).includes(name));
  if (left.length > 0) return left;
  throw new SessionError(
    'unreachable',
    'kex',
    `${target.host}: ssh2 has none of the wanted ${kind}: ${wanted.join()}`,
    {
      hint: `it has: ${supported[kind].join(', ')}`,
    },
  );
}
