import type { ActionSpec } from '../core/action.ts';
import { result } from '../core/result.ts';

export const gateAction: ActionSpec = {
  name: 'gate',
  doc: {
    summary: 'Wait in the middle of a play until a gate passes on this host; fail when it does not in time.',
    notes: [
      'A play has its gates after each batch, for all of it; this one stands between the tasks of one host, and a rescue can follow it. delegate_to names another host to ask from.',
      'A plan assumes that it passes, and shows it among the gates of the play.',
    ],
    examples: `- name: the node is Ready again
  gate:
    gate: node_online
    with: {node: worker1, kubeconfig: /etc/kubernetes/kubelet.conf}
    deadline: 300
`,
    returns: { reason: 'Its last answer.' },
  },
  params: {
    gate: { type: 'str', required: true, doc: 'Which gate, as in `gates:` of a play.' },
    with: { type: 'dict', default: {}, doc: 'Its parameters.' },
    interval: { type: 'float', doc: 'Seconds between looks.' },
    timeout: { type: 'float', doc: 'Seconds for one look.' },
    deadline: { type: 'float', doc: 'Seconds for all of them.' },
  },
  forgets: true,
  predict: () => result(false, { reason: '' }),
};
