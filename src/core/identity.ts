/** Who does something on a host: the login user, or another entered through `method`. */
export interface Identity {
  /** Absent: the login user as it is. */
  become?: { method: string; user: string; flags?: string; exe?: string };
}

export const loginIdentity: Identity = {};

/** A stable name of an identity, used as a key. */
export function identityKey(identity: Identity): string {
  const become = identity.become;
  return become ? `${become.method}:${become.user}:${become.flags ?? ''}:${become.exe ?? ''}` : 'login';
}
