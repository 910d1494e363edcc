import * as assert from 'uvu/assert';
import type { RunEvent } from '../../../src/core/events.ts';
import { createExecDisplay, createFactsDisplay, createPingDisplay } from '../../../src/report/adhoc.ts';
import { plainStyle } from '../../../src/report/style.ts';
import { suite } from '../../support/harness.ts';
import { Scenario } from './support/scenario.ts';

const adhoc = suite('exec, ping and facts');

for (const [name, create] of Object.entries({ createExecDisplay, createPingDisplay, createFactsDisplay }))
  adhoc(`${name}: a host that cannot be reached says why, on stderr`, () => {
    const { err } = shown(create);
    assert.match(err, /web1.*192\.0\.2\.1 port 22: connection refused\n/);
  });

adhoc('ping counts who answers', () => assert.is(shown(createPingDisplay).out, '0 of 1 host answer\n'));
adhoc('facts of nobody are an empty object', () => assert.is(shown(createFactsDisplay).out, '{}\n'));
adhoc('a run that could not begin prints its error alone, not facts of nobody', () => {
  const { out, err } = shown(createFactsDisplay, [
    { time: 0, type: 'error', kind: 'input', message: "'nosuch' matches no host", facts: {} },
  ]);
  assert.is(out, '');
  assert.match(err, /'nosuch' matches no host/);
});

adhoc.run();

function unreachable(): RunEvent[] {
  const s = new Scenario(['web1']).play(1, 1, 'All');
  return s.task('web1', 'Gathering Facts', 'unreachable', { message: '192.0.2.1 port 22: connection refused' }).events;
}

function shown(create: typeof createPingDisplay, events = unreachable()) {
  const text = { out: '', err: '' };
  const display = create({
    style: plainStyle,
    diff: false,
    verbosity: 0,
    out: (more) => {
      text.out += more;
    },
    err: (more) => {
      text.err += more;
    },
  });
  for (const event of events) display.add(event);
  display.end();
  return text;
}
