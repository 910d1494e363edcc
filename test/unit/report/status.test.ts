import * as assert from 'uvu/assert';
import { createStatusDisplay } from '../../../src/report/status.ts';
import { createStyle } from '../../../src/report/style.ts';
import { suite } from '../../support/harness.ts';
import { Scenario } from './support/scenario.ts';

const status = suite('kpush status');

status('tells each gate, what is wrong below it, and how many passed; waves without gates are left out', () => {
  const evidence = 'unit is dead\nlast line\x1b[31m';
  const said = new Scenario(['h1', 'h2'])
    .play(1, 2, 'Nothing to ask')
    .play(2, 2, 'Nodes')
    .gate('h1', 'online', 'passed')
    .gate('h2', 'online', 'failed', { reason: 'is not Ready', from: 'h1', evidence });
  assert.equal(shown(said), {
    out: 'Nodes\n  + h1  online\n  x h2 (asked from h1)  online: is not Ready\n      unit is dead\n      last line\n\n1 of 2 gates passed\n',
    err: '',
  });
});

status('a gate that is judged again after a later batch is told once, unless it answers otherwise', () => {
  const said = new Scenario(['h1', 'h2']).play(1, 1, 'Nodes').gate('h1', 'online', 'passed');
  said.gate('h1', 'online', 'passed').gate('h2', 'online', 'passed');
  assert.is(shown(said).out, 'Nodes\n  + h1  online\n  + h2  online\n\n2 of 2 gates passed\n');
  said.gate('h1', 'online', 'failed', { reason: 'gone' });
  assert.match(shown(said).out, /x h1 {2}online: gone\n\n1 of 2 gates passed/);
});

status.run();

function shown(said: Scenario): { out: string; err: string } {
  const written = { out: '', err: '' };
  const display = createStatusDisplay({
    style: createStyle({ color: false, unicode: false }),
    verbosity: 0,
    diff: false,
    frame: ({ message }) => message,
    out: (text) => (written.out += text),
    err: (text) => (written.err += text),
  });
  for (const event of said.events) display.add(event);
  display.end();
  display.end();
  return written;
}
