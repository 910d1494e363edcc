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
