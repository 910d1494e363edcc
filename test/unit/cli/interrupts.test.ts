import * as assert from 'uvu/assert';
import { listenToSignals } from '../../../src/cli/interrupts.ts';
import { suite } from '../../support/harness.ts';

const t = suite('interrupts');

t('once stops, twice closes, thrice leaves; SIGTERM is never more than the first', () => {
  const { said, signals } = listen();
  process.emit('SIGTERM');
  process.emit('SIGTERM');
  assert.equal([said.join(), signals.stop.aborted, signals.close.aborted], ['1', true, false]);
  signals.raise();
  assert.equal([said.join(), signals.close.aborted], ['1,2', true]);
  signals.raise();
  assert.is(said.join(), '1,2,leave');
  signals.dispose();
});

t('a run that is over tells its end whatever signal comes, but for a second one', () => {
  const { said, signals } = listen();
  signals.raise();
  signals.settle();
  process.emit('SIGINT');
  assert.is(said.join(), '1');
  process.emit('SIGINT');
  assert.is(said.join(), '1,leave');
  signals.dispose();
});

t('nothing listens afterwards', () => {
  const before = process.listenerCount('SIGINT');
  const { signals } = listen();
  assert.is(process.listenerCount('SIGINT'), before + 1);
  signals.dispose();
  assert.is(process.listenerCount('SIGINT'), before);
});

t.run();

function listen() {
  const said: (number | string)[] = [];
  const signals = listenToSignals(
    (count) => said.push(count),
    () => said.push('leave'),
  );
  return { said, signals };
}
