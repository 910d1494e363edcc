import type { ActionSpec } from '../core/action.ts';
import { result } from '../core/result.ts';

export const groupByAction: ActionSpec = {
  name: 'group_by',
  doc: {
    summary: 'Put each host into a group named after its facts or variables.',
    examples: '- group_by:\n    key: os_{{ ansible_facts.distribution }}\n',
  },
  params: {
    key: { type: 'str', required: true, doc: 'Name of the group.' },
    parents: { type: 'list', elements: 'str', default: ['all'], doc: 'Groups it becomes part of.' },
  },
  grows: true,
  predict: (params) => result(true, { group_by: String(params.key) }),
};
