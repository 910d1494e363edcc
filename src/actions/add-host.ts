import type { ActionSpec } from '../core/action.ts';
import { result } from '../core/result.ts';

export const addHostAction: ActionSpec = {
  name: 'add_host',
  doc: {
    summary: 'Add a host, with groups and variables, to the inventory of this run.',
    notes: ['Variables are given beside `name`. Every host of the batch sees it from the next task on.'],
    examples: '- add_host:\n    name: spare1\n    groups: [nodes]\n    ansible_host: 192.0.2.9\n',
  },
  params: {
    name: { type: 'str', required: true, aliases: ['host', 'hostname'], doc: 'Name of the host.' },
    groups: {
      type: 'list',
      elements: 'str',
      aliases: ['group', 'groupname'],
      doc: 'Groups it joins; made when missing.',
    },
  },
  open: true,
  grows: true,
  predict: (params) => result(true, { add_host: String(params.name) }),
};
