import type { Plan } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { quote } from '../core/quote.ts';
import { result, TaskFailure } from '../core/result.ts';
import type { Step } from '../core/steps.ts';
import { wait } from '../core/waits.ts';
import { leavingVerdict } from '../kubernetes/quorum.ts';
import { type EtcdMember, etcdCurl, etcdLibrary, etcdMembers, etcdMembersKey } from '../world/etcd-members.ts';
import { defineModule } from './define.ts';
import { etcdParams } from './etcd_quorum.ts';

const params = {
  name: { type: 'str', operand: true, doc: 'Its name', required: true },
  peer_url: { type: 'str', operand: true, doc: 'Where the others reach it, as https://HOST:2380', required: true },
  state: {
    type: 'str',
    doc: 'present: it may join. absent: it is none any more',
    choices: ['present', 'absent'],
    default: 'present',
  },
  ...etcdParams,
} as const satisfies ParamSpecs;

type Given = Params<typeof params>;

export const etcdMemberModule = defineModule({
  name: 'etcd_member',
  doc: {
    summary: 'A machine is a member of etcd, or none any more',
    notes: [
      'Asked of a member that stays. A member leaves only when those that are left are healthy and have the quorum.',
      'A machine that lost its data joins as a new member: the old one must be absent first.',
    ],
    examples: `- etcd_member:
    name: control1
    peer_url: https://10.0.0.11:2380
    state: absent
    url: https://127.0.0.1:2379
    ca: /etc/kubernetes/pki/ca.pem
    certificate: /etc/kubernetes/pki/etcd.pem
    key: /etc/kubernetes/pki/etcd-key.pem
  delegate_to: control2
`,
    returns: { members: 'names of all members before' },
  },
  params,
  facts: (given) => [etcdMembersKey(given)],
  plan(given, world) {
    const members = etcdMembers(world, given);
    // One that has not started yet has no name.
    const mine = members.filter(({ name, peers }) => name === given.name || peers.includes(given.peer_url));
    if (given.state === 'present') return planned(members, mine.length > 0 ? [] : [addStep(given, members)]);
    const { allowed, arithmetic } = leavingVerdict({
      members,
      leaving: mine.map(({ name }) => name),
    });
    if (!allowed) throw new TaskFailure(arithmetic);
    return planned(
      members,
      mine.map((member) => removeStep(given, member, members, arithmetic)),
    );
  },
});

function planned(members: EtcdMember[], steps: Step[]): Plan {
  return { steps, result: result(steps.length > 0, { members: members.map(({ name }) => name) }) };
}

function addStep(given: Given, members: EtcdMember[]): Step {
  const after = [...members, { id: '', name: '', peers: [given.peer_url], healthy: false }];
  return {
    title: `let ${given.name} join etcd`,
    run: { kind: 'sh', script: asked(given, 'add', { peerURLs: [given.peer_url] }) },
    effects: [{ type: 'fact.set', family: 'etcd-members', id: etcdMembersKey(given).id, value: after }],
    diff: [diffOf(given.name, null, `${members.length + 1} members`)],
    proof: [],
    timeout: 60,
  };
}

function removeStep(given: Given, { id, name }: EtcdMember, members: EtcdMember[], arithmetic: string): Step {
  const after = members.filter((member) => member.id !== id);
  return {
    title: `remove ${given.name} from etcd: ${arithmetic}`,
    run: { kind: 'sh', script: asked(given, 'remove', { ID: id }) },
    effects: [{ type: 'fact.set', family: 'etcd-members', id: etcdMembersKey(given).id, value: after }],
    diff: [diffOf(name || given.name, 'member', null)],
    proof: [],
    timeout: 60,
  };
}

function diffOf(name: string, before: string | null, after: string | null) {
  return { kind: 'fields' as const, subject: 'members of etcd', fields: [{ name, before, after }] };
}

/** etcd refuses with 412 or 500 while its members have not agreed for five seconds: tried again for a while. */
const { interval, deadline } = wait('member');
const rounds = Array.from({ length: Math.ceil(deadline / interval) }, (_, n) => n + 1).join(' ');

function asked(given: Given, verb: 'add' | 'remove', body: object): string {
  return `${etcdLibrary}
for i in ${rounds}; do
  kf_etcd ${quote(given.url)} ${verb} ${quote(JSON.stringify(body))} ${etcdCurl(given)}
  [ "$kf_code" != 200 ] || exit 0
  sleep ${interval}
done
echo "etcd answered $kf_code: $kf_o" >&2
exit 1`;
}
