import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { AnyAuthMethod, Client, ParsedKey } from 'ssh2';

/**
 * The first request of a login in one flight with the request for the service, a key file's key with its signature at
 * once. ssh2 waits for the service, and asks whether a key would do before it signs: two round trips more. Messages
 * are read in the order they come, by OpenSSH and Dropbear too. `first` is no RSA key: see `planAuth`.
 */
export function logInAhead(client: Client, first: AnyAuthMethod | undefined): void {
  const protocol = (client as unknown as { _protocol: Protocol })._protocol;
  signOutright(protocol);
  // Once: it comes again with each new key exchange.
  client.once('handshake', () => {
    sendOnce(protocol, 'service', ['ssh-userauth']);
    if (first?.type === 'none') sendOnce(protocol, 'authNone', [first.username]);
    if (first?.type === 'publickey') sendOnce(protocol, 'authPK', [first.username, first.key as unknown as ParsedKey]);
  });
}

/** What ssh2 1.17 keeps to itself and calls in this order. */
interface Protocol {
  service(name: string): void;
  authNone(user: string): void;
  authPK(user: string, key: ParsedKey, algorithm?: string, sign?: Sign): void;
}

type Sign = (text: Buffer, done: (signature: Buffer) => void) => void;

/** Sends it now; ssh2's own call of the same, which comes later, does nothing. */
function sendOnce<M extends keyof Protocol>(protocol: Protocol, method: M, args: Parameters<Protocol[M]>): void {
  const send = protocol[method] as (...args: unknown[]) => void;
  send.apply(protocol, args);
  protocol[method] = (() => {
    protocol[method] = send as Protocol[M];
  }) as Protocol[M];
}

/** A key file's key can sign at once; an agent's is asked for first, since its signature may need a person. */
function signOutright(protocol: Protocol): void {
  const request = protocol.authPK;
  protocol.authPK = (user, key, algorithm, sign) =>
    request.call(protocol, user, key, algorithm, sign ?? signerOf(key, algorithm));
}

function signerOf(key: ParsedKey, algorithm: string | undefined): Sign | undefined {
  if (!key.isPrivateKey()) return undefined;
  return (text, done) => done(sign(hashOf[algorithm ?? key.type], text, keyObject(key)));
}

/** OpenSSL reads a key's text in 0.4 ms, ten times what an Ed25519 signature takes; ssh2 has it read for each. */
function keyObject(key: ParsedKey): KeyObject {
  const known = keys.get(key) ?? createPrivateKey(key.getPrivatePEM());
  keys.set(key, known);
  return known;
}

const keys = new WeakMap<ParsedKey, KeyObject>();

/** Ed25519 has its own. */
const hashOf: Readonly<Record<string, string>> = {
  'rsa-sha2-256': 'sha256',
  'rsa-sha2-512': 'sha512',
  'ssh-rsa': 'sha1',
  'ecdsa-sha2-nistp256': 'sha256',
  'ecdsa-sha2-nistp384': 'sha384',
  'ecdsa-sha2-nistp521': 'sha512',
};
