import { result } from '../core/result.ts';
import { defineModule } from './define.ts';

/** The planner does it itself: its parameters are the variables. Here is its documentation. */
export const setFactModule = defineModule({
  name: 'set_fact',
  doc: {
    summary: 'Sets variables of a host for the rest of the run',
    notes: ['Every other parameter is a variable and its value, evaluated at once.'],
    examples: '- set_fact:\n    api_url: "https://{{ api_host }}:6443"\n',
    returns: { ansible_facts: 'the variables' },
  },
  params: { cacheable: { type: 'bool', doc: 'Accepted; kpush keeps no facts between runs', default: false } },
  facts: () => [],
  plan: () => ({ steps: [], result: result(false) }),
});
