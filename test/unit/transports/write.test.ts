import { Writable } from 'node:stream';
import * as assert from 'uvu/assert';
import { writer } from '../../../src/transports/write.ts';
import { suite } from '../../support/harness.ts';

const test = suite('writing to a channel');

test('all of it arrives, in order, text as UTF-8', async () => {
  const got: Buffer[] = [];
  const write = writer(
    sink((chunk) => got.push(chunk)),
    new Promise(() => {}),
  );
  const large = Buffer.alloc(600 * 1024, 'x');
  await write('é');
  await write(large);
  assert.ok(Buffer.concat(got).equals(Buffer.concat([Buffer.from('é'), large])));
});

test('a thousand writes wait for the end of the channel as one does', async () => {
  const never = new Promise(() => {});
  let waits = 0;
  const closed = Object.assign(Object.create(Promise.prototype), {
    then: (...args: [() => void]) => {
      waits++;
      return never.then(...args);
    },
  });
  const write = writer(
    sink(() => {}),
    closed,
  );
  for (let n = 0; n < 1000; n++) await write('kp_b\n');
  assert.is(waits, 1);
});

test('a write that is never called back ends with the channel', async () => {
  let close = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const write = writer(new Writable({ write() {} }), closed);
  const pending = told(write('a'));
  const other = told(write('b'));
  close();
  assert.is(await pending, 'the channel closed while data was sent');
  assert.is(await other, 'the channel closed while data was sent');
  assert.is(await told(write('later')), 'the channel closed while data was sent');
});

test('a write that fails is told as the end of the channel', async () => {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  stream.on('error', () => {});
  assert.is(await told(writer(stream, new Promise(() => {}))('a')), 'the channel closed while data was sent');
});

test.run();

function sink(take: (chunk: Buffer) => void): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      take(chunk);
      done();
    },
  });
}

function told(write: Promise<void>): Promise<string> {
  return write.then(
    () => 'written',
    (error: Error) => error.message,
  );
}
