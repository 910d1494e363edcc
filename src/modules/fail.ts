import { TaskFailure } from '../core/result.ts';
import { defineModule } from './define.ts';

export const failModule = defineModule({
  name: 'fail',
  doc: {
    summary: 'Fails the task with a message',
    examples: '- fail: {msg: "this role needs Debian"}\n  when: ansible_facts.os_family != "Debian"\n',
    returns: { msg: 'the message' },
  },
  params: { msg: { type: 'str', doc: 'What to say', default: 'Failed as requested from task' } },
  facts: () => [],
  plan: (params) => {
    throw new TaskFailure(params.msg);
  },
});
