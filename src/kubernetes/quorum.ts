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

/** Members of etcd, and those that are to leave it. */
export interface Leaving {
  members: readonly { name: string; healthy: boolean }[];
  leaving: readonly string[];
  /** Each comes back before the next one leaves. */
  oneAtATime: boolean;
}

/** Whether members may leave, with the arithmetic in words. Members that are none any more are not counted. */
export function leavingVerdict({ members, leaving, oneAtATime }: Leaving): { allowed: boolean; arithmetic: string } {
  const going = members.filter(({ name }) => leaving.includes(name));
  if (going.length === 0) return { allowed: true, arithmetic: 'no member of etcd leaves' };
  if (oneAtATime) {
    const verdicts = going.map(({ name }) => together(members, [name]));
    return verdicts.find(({ allowed }) => !allowed) ?? verdicts[0]!;
  }
  return together(
    members,
    going.map(({ name }) => name),
  );
}

/** What is left must have the quorum of those that are members now, healthy ones only. */
function together(members: Leaving['members'], going: readonly string[]) {
  const left = members.filter(({ name }) => !going.includes(name));
  const healthy = left.filter((member) => member.healthy).length;
  const quorum = quorumOf(members.length);
  const arithmetic = `${going.join(', ')} of ${members.length} members of etcd would leave: ${left.length} would be left, ${healthy} of them healthy, and the quorum of ${members.length} is ${quorum}`;
  return { allowed: healthy >= quorum, arithmetic };
}
