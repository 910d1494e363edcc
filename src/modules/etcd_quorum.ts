import type { ParamSpecs } from '../core/params.ts';
import { result, TaskFailure } from '../core/result.ts';
import { leavingVerdict } from '../kubernetes/quorum.ts';
import { etcdMembers, etcdMembersKey } from '../world/etcd-members.ts';
import { defineModule } from './define.ts';

/** How a member of etcd is asked; etcd_member takes the same. */
export const etcdParams = {
  url: { type: 'str', operand: true, doc: 'A member that stays, as https://HOST:2379', required: true },
  ca: { type: 'path', doc: 'File of the CA, on the host that asks', required: true },
  certificate: { type: 'path', doc: 'Client certificate to show', required: true },
  key: { type: 'path', doc: 'Its key', required: true },
} as const satisfies ParamSpecs;

export const etcdQuorumModule = defineModule({
  name: 'etcd_quorum',
  doc: {
    summary: 'Members may leave etcd without its losing the quorum',
    notes: ['Changes nothing: it fails with the arithmetic before anything is begun, and the plan shows it.'],
    examples: `- etcd_quorum:
    leaving: [control1]
    url: https://127.0.0.1:2379
    ca: /etc/kubernetes/pki/ca.pem
    certificate: /etc/kubernetes/pki/etcd.pem
    key: /etc/kubernetes/pki/etcd-key.pem
  delegate_to: control2
`,
    returns: { members: 'names of all members', arithmetic: 'what is counted' },
  },
  params: {
    leaving: {
      type: 'list',
      elements: 'str',
      operand: true,
      doc: 'Names of the members that are to leave',
      required: true,
    },
    ...etcdParams,
  },
  facts: (given) => [etcdMembersKey(given)],
  plan(given, world) {
    const members = etcdMembers(world, given);
    const { allowed, arithmetic } = leavingVerdict({ members, leaving: given.leaving });
    if (!allowed) throw new TaskFailure(arithmetic, {}, 'let another one join first, or heal what is not healthy');
    return {
      steps: [],
      notes: [arithmetic],
      result: result(false, { members: members.map(({ name }) => name), arithmetic }),
    };
  },
});
