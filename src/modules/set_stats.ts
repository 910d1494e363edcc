import { result } from '../core/result.ts';
import { fromPlain } from '../jinja/python/convert.ts';
import { defineModule } from './define.ts';

export const setStatsModule = defineModule({
  name: 'set_stats',
  doc: {
    summary: 'Keeps values for the end of the run',
    notes: ['They stand in the result of the task, in the journal and in the JSON output.'],
    examples: '- set_stats: {data: {version: "{{ kube_version }}"}}\n',
    returns: { ansible_stats: 'data, per_host and aggregate as given' },
  },
  params: {
    data: { type: 'dict', doc: 'The values', required: true },
    per_host: { type: 'bool', doc: 'Keep them for each host by itself', default: false },
    aggregate: { type: 'bool', doc: 'Add them to values that are kept already', default: true },
  },
  facts: () => [],
  plan: (params) => ({ steps: [], result: result(false, { ansible_stats: fromPlain(params) }) }),
});
