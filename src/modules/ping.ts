import { result } from '../core/result.ts';
import { defineModule } from './define.ts';

export const pingModule = defineModule({
  name: 'ping',
  doc: {
    summary: 'Answers pong',
    notes: ['That a host can be reached and has a shell shows with any task; this one asks nothing else.'],
    examples: '- ping: {}\n',
    returns: { ping: 'what data says' },
  },
  params: { data: { type: 'str', doc: 'What to answer', default: 'pong' } },
  facts: () => [],
  plan: ({ data }) => ({ steps: [], result: result(false, { ping: data }) }),
});
