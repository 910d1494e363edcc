import * as assert from 'uvu/assert';
import { reportErrors } from '../../../src/cli/errors.ts';
import type { Output } from '../../../src/cli/output.ts';
import { TaskFailure } from '../../../src/core/result.ts';
import { TemplateError } from '../../../src/jinja/errors.ts';
import { plainStyle } from '../../../src/report/style.ts';
import { suite } from '../../support/harness.ts';

const test = suite('errors of a command');

const place = { origin: 'site.yml', line: 4, column: 3 };
const cases: [string, Error, string, string][] = [
  [
    'a template of a play',
    new TemplateError('undefined', "'nope' is undefined", { ...place, nearest: 'hope' }),
    'input',
    "error: site.yml:4:3: 'nope' is undefined\n  did you mean: hope\n",
  ],
  ['a template of nowhere', new TemplateError('type', 'no number'), 'input', 'error: no number\n'],
  ['what no task is there for', new TaskFailure('no', {}, 'do'), 'input', 'error: no\n  hint: do\n'],
  ['a fault', new TypeError('x'), 'internal', 'error: x\n  hint: this is a fault in kpush'],
];
for (const [name, error, kind, text] of cases)
  test(`${name} is ${kind}`, () => {
    const lines: string[] = [];
    const kinds: string[] = [];
    const output = { err: (line: string) => void lines.push(line) } as unknown as Output;
    const add = (event: { type: string; kind?: string }) => void kinds.push(String(event.kind));
    reportErrors(error, { output, errStyle: plainStyle, cwd: '/no/such', add });
    assert.equal([lines.join('').slice(0, text.length), kinds], [text, [kind]]);
  });

test.run();
