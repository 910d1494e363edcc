import type { ActionSpec } from '../core/action.ts';
import { result } from '../core/result.ts';

export const pauseAction: ActionSpec = {
  name: 'pause',
  doc: {
    summary: 'Wait for some time.',
    notes: [
      'A plan assumes that the time has passed. Waiting for a key (no time is given) is refused: kpush runs unattended.',
    ],
    examples: '- pause:\n    seconds: 10\n',
  },
  params: {
    seconds: { type: 'float', doc: 'Seconds to wait.' },
    minutes: { type: 'float', doc: 'Minutes to wait; excludes `seconds`.' },
    prompt: { type: 'str', doc: 'Text shown while waiting.' },
    echo: { type: 'bool', default: true, doc: 'Accepted for compatibility.' },
  },
  rules: { exclusive: [['minutes', 'seconds']] },
  predict: ({ echo }) =>
    result(false, {
      delta: 0,
      stdout: '',
      stderr: '',
      rc: 0,
      start: null,
      stop: null,
      echo: echo !== false,
      user_input: '',
    }),
};
