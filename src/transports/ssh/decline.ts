import type { Client } from 'ssh2';

/**
 * Lets a server's list of all its host keys pass. ssh2 1.17 has the server prove each by a signature, whoever wants to
 * know: an RSA key's costs a host a millisecond, and nobody here writes them down.
 */
export function declineHostKeys(client: Client): void {
  const inner = client as unknown as { _callbacks: unknown[]; _protocol: { openssh_hostKeysProve(): void } };
  // What was to read the answer was put last just before.
  inner._protocol.openssh_hostKeysProve = () => {
    inner._callbacks.pop();
  };
}
