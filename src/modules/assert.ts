import { result } from '../core/result.ts';
import { defineModule } from './define.ts';

/** The planner judges it itself, since `that` holds expressions; here are its parameters and documentation. */
export const assertModule = defineModule({
  name: 'assert',
  doc: {
    summary: 'Fails unless all conditions hold',
    examples: '- assert:\n    that: [ansible_facts.memtotal_mb > 1500]\n    fail_msg: a node needs 2 GB\n',
  },
  params: {
    that: { type: 'list', doc: 'Expressions', required: true },
    fail_msg: { type: 'str', doc: 'What to say when one does not hold', aliases: ['msg'] },
    success_msg: { type: 'str', doc: 'What to say when all hold' },
    quiet: { type: 'bool', doc: 'Say little', default: false },
  },
  facts: () => [],
  plan: () => ({ steps: [], result: result(false) }),
});
