import type { FactKey } from '../../../src/core/facts.ts';
import { SessionError } from '../../../src/core/session.ts';
import { asked } from '../../../src/world/ask.ts';
import { families } from '../../../src/world/families.ts';
import { shape, type Target } from '../support/target.ts';

/** What a host answers: a line with the question's family, a line with what is asked, and the record. */
export const target: Target = {
  words: [
    ...[
      '\n',
      '\t',
      '\0',
      ' ',
      '|',
      ':',
      '=',
      '-',
      '{',
      '}',
      '[',
      ']',
      '"',
      'null',
      'true',
      '1',
      '0',
      '%',
      '\\',
      '+',
      '/',
    ],
    ...[
      'regular file',
      'directory',
      'symbolic link',
      'ok',
      'none',
      'absent',
      'denied',
      'loaded',
      'enabled',
      '0644',
      'root',
    ],
    ...[...families.keys()].map((name) => `${name}\n`),
  ],
  run(input) {
    const [family = '', id = '', ...rest] = input.toString('latin1').split('\n');
    if (!families.has(family) || families.get(family)?.onController) return 'no family';
    const key = { family, id };
    const question = questionOf(key);
    if (!question) return `${family} asks nothing`;
    try {
      const [told] = question.answers([[rest.join('\n')]]);
      return `${family} ${told?.answer.state}`;
    } catch (error) {
      if (error instanceof SessionError) return `${family} ${shape(error.message)}`;
      throw error;
    }
  },
};

/** What is asked is kpush's own: mutations may make nonsense of it. */
function questionOf(key: FactKey) {
  try {
    return asked([key]);
  } catch {
    return undefined;
  }
}
