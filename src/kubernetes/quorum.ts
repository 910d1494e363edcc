/** Who of a cluster cannot be reached. */
export interface Absence {
  etcd: readonly string[];
  controlPlane: readonly string[];
  absent: ReadonlySet<string>;
}

/** More than half of the members of etcd. */
export function quorumOf(members: number): number {
  return Math.floor(members / 2) + 1;
}

/** Why a cluster cannot be worked on without those who are absent, with the arithmetic; undefined: it can. */
export function quorumProblem({ etcd, controlPlane, absent }: Absence): string | undefined {
  const gone = etcd.filter((host) => absent.has(host));
  const [left, quorum] = [etcd.length - gone.length, quorumOf(etcd.length)];
  if (left < quorum)
    return `${gone.length} of ${etcd.length} members of etcd cannot be reached (${gone.join(', ')}): ${left} would be left, and the quorum of ${etcd.length} is ${quorum}`;
  if (controlPlane.length > 0 && controlPlane.every((host) => absent.has(host)))
    return `no control plane can be reached (${controlPlane.join(', ')})`;
  return undefined;
}

/** Members of etcd, and those that are to leave it at once. */
export interface Leaving {
  members: readonly { name: string; healthy: boolean }[];
  leaving: readonly string[];
}

/**
 * Whether members may leave, with the arithmetic in words: what is left must have the quorum of those that are members
 * now, healthy ones only. Who is no member any more is not counted.
 */
export function leavingVerdict({ members, leaving }: Leaving): { allowed: boolean; arithmetic: string } {
  // etcd tells its members in the order of their ids, which is of chance.
  const going = leaving.filter((name) => members.some((member) => member.name === name));
  if (going.length === 0) return { allowed: true, arithmetic: 'no member of etcd leaves' };
  const left = members.filter(({ name }) => !going.includes(name));
  const healthy = left.filter((member) => member.healthy).length;
  const quorum = quorumOf(members.length);
  const arithmetic = `${going.join(', ')} of ${members.length} members of etcd would leave: ${left.length} would be left, ${healthy} of them healthy, and the quorum of ${members.length} is ${quorum}`;
  return { allowed: healthy >= quorum, arithmetic };
}
