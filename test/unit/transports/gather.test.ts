import { Duplex } from 'node:stream';
import * as assert from 'uvu/assert';
import { gatherWrites } from '../../../src/transports/ssh/gather.ts';
import { suite } from '../../support/harness.ts';

const test = suite('writes of one turn');

/** A socket that notes what each call to the system would carry. */
function recorder() {
  const calls: string[] = [];
  const socket = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      calls.push(String(chunk));
      done();
    },
    writev(chunks, done) {
      calls.push(chunks.map(({ chunk }) => String(chunk)).join('|'));
      done();
    },
  });
  gatherWrites(socket);
  return { socket, calls };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('go out together, in order, and those of the next turn after them', async () => {
  const { socket, calls } = recorder();
  for (const piece of ['length', 'text', 'tag']) socket.write(piece);
  await turn();
  socket.write('next');
  await turn();
  assert.equal(calls, ['length|text|tag', 'next']);
});

test('are not lost when the socket ends in the same turn', async () => {
  const { socket, calls } = recorder();
  socket.write('good');
  socket.end('bye');
  await turn();
  assert.equal(calls.join('|'), 'good|bye');
});

test.run();
