import * as assert from 'uvu/assert';
import { createStatusDisplay } from '../../../src/report/status.ts';
import { createStyle } from '../../../src/report/style.ts';
import { suite } from '../../support/harness.ts';
import { Scenario } from './support/scenario.ts';

const status = suite('kpush status');

status('tells each gate, what is wrong below it, and how many passed; waves without gates are left out', () => {
  const written = { out: '', err: '' };
  const display = createStatusDisplay({
    style: createStyle({ color: false, unicode: false }),
    verbosity: 0,
    diff: false,
    frame: ({ message }) => message,
    out: (text) => (written.out += text),
    err: (text) => (written.err += text),
  });
  const evidence = 'unit is dead\nlast line\x1b[31m';
  const said = new Scenario(['h1', 'h2'])
    .play(1, 2, 'Nothing to ask')
    .play(2, 2, 'Nodes')
    .gate('h1', 'online', 'passed')
    .gate('h2', 'online', 'failed', { reason: 'is not Ready', from: 'h1', evidence });
  for (const event of said.events) display.add(event);
  display.end();
  display.end();
  assert.is(
    written.out,
    'Nodes\n  + h1  online\n  x h2 (asked from h1)  online: is not Ready\n      unit is dead\n      last line\n\n1 of 2 gates passed\n',
  );
  assert.is(written.err, '');
});

status.run();
