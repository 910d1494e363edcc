import type { ShownKey } from '../apply/actions.ts';
import type { Target } from '../core/session.ts';
import { fingerprint, isKnownKey, shownKey, trustAnew } from '../transports/trust.ts';

/** The key that a host shows now, whatever is known of it. Throws a SessionError where it cannot be reached. */
export async function keyShownBy(target: Target, signal: AbortSignal): Promise<ShownKey> {
  const key = await shownKey(target, signal);
  return {
    fingerprint: fingerprint(key),
    known: await isKnownKey(target, key),
    file: target.knownHostsFiles[0],
    trust: () => trustAnew(target, key),
  };
}
