import type { ActionSpec } from '../core/action.ts';
import { result } from '../core/result.ts';

export const waitForConnectionAction: ActionSpec = {
  name: 'wait_for_connection',
  doc: {
    summary: 'Wait until the host can be reached.',
    examples: '- wait_for_connection:\n    timeout: 60\n',
    returns: { elapsed: 'Seconds it took.' },
  },
  params: {
    timeout: { type: 'int', default: 600, doc: 'Seconds until it must be reached.' },
    delay: { type: 'int', default: 0, doc: 'Seconds before the first try.' },
    sleep: { type: 'int', default: 1, doc: 'Seconds between tries.' },
    connect_timeout: { type: 'int', default: 5, doc: 'Seconds for one try.' },
  },
  predict: () => result(false, { elapsed: 0 }),
};
