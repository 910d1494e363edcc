import { result } from '../core/result.ts';
import { defineModule } from './define.ts';

/** The planner shows it itself, since `var` is an expression; here are its parameters and documentation. */
export const debugModule = defineModule({
  name: 'debug',
  doc: {
    summary: 'Prints a message or a value',
    examples:
      '- debug: {msg: "{{ inventory_hostname }} is {{ ansible_facts.distribution }}"}\n- debug: {var: r.stdout}\n',
  },
  params: {
    msg: { type: 'raw', doc: 'What to print', default: 'Hello world!' },
    var: { type: 'str', doc: 'An expression whose value is printed' },
    verbosity: { type: 'int', doc: 'Only printed when kpush is as verbose as this', default: 0 },
  },
  rules: { exclusive: [['msg', 'var']] },
  facts: () => [],
  plan: () => ({ steps: [], result: result(false) }),
});
