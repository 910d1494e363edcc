import * as assert from 'uvu/assert';
import { SessionError } from '../../../src/core/session.ts';
import { fromPlain, toPlain } from '../../../src/jinja/index.ts';
import { asked } from '../../../src/world/ask.ts';
import { customFactsKey } from '../../../src/world/custom-facts.ts';
import { suite } from '../../support/harness.ts';

const test = suite('hostile facts');

const hostile = '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 2}}, "toString": 3}';

test('facts called as what all objects have are facts, and nothing else', () => {
  const [told] = asked([customFactsKey('/etc/facts')]).answers([[`h.fact\x1ff${hostile}\x1f`]]);
  assert.is(told?.answer.state, 'known');
  const facts = (told!.answer as { value: Map<string, Map<string, unknown>> }).value.get('h');
  assert.equal([...(facts?.keys() ?? [])], ['__proto__', 'constructor', 'toString']);
  assert.is(({} as { polluted?: unknown }).polluted, undefined);
});

test('results called so, too, on their way into templates and out', () => {
  const plain = toPlain(fromPlain(JSON.parse(hostile)));
  assert.is(JSON.stringify(plain), JSON.stringify(JSON.parse(hostile)));
  assert.is(({} as { polluted?: unknown }).polluted, undefined);
});

test('facts nested without end are no facts, and end nothing', () => {
  const [told] = asked([customFactsKey('/etc/facts')]).answers([[`h.fact\x1ff${'['.repeat(60_000)}\x1f`]]);
  assert.is(told?.answer.state, 'known');
});

test('an answer that is none ends the host it came from, and tells nothing of what it was', () => {
  const question = asked([{ family: 'base', id: 'facts' }]);
  const isTold = (error: Error) =>
    error instanceof SessionError && error.message === 'an answer about base cannot be understood';
  assert.throws(() => question.answers([['s3cret']]), isTold);
});

test.run();
