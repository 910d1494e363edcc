import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { Capture } from '../../../src/remote/capture.ts';
import { RecordReader } from '../../../src/remote/records.ts';
import { suite } from '../../support/harness.ts';

const test = suite('remote limits');

test('a capture keeps all below its limit', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 30 })), (chunks) => {
      const capture = new Capture(1000);
      const all = Buffer.concat(chunks).subarray(0, 1000);
      for (let at = 0; at < all.length; at += 7) capture.push(Buffer.from(all.subarray(at, at + 7)));
      assert.is(capture.truncated, false);
      assert.ok(capture.bytes().equals(all));
    }),
  );
});

test('a capture keeps head and tail above its limit and says what it dropped', () => {
  fc.assert(
    fc.property(fc.integer({ min: 21, max: 5000 }), fc.integer({ min: 1, max: 400 }), (total, size) => {
      const all = Buffer.from(Array.from({ length: total }, (_, i) => 65 + (i % 26)));
      const capture = new Capture(20);
      for (let at = 0; at < total; at += size) capture.push(all.subarray(at, at + size));
      assert.ok(capture.truncated);
      const text = capture.bytes().toString();
      assert.ok(text.startsWith(all.subarray(0, 10).toString()));
      assert.ok(text.endsWith(all.subarray(total - 10).toString()));
      assert.match(text, new RegExp(`… ${total - 20} bytes dropped …`));
    }),
  );
});

test('records are split whatever the chunks, and may hold any bytes but the separator', () => {
  const separator = '\x1eabcdef01';
  const record = fc.string({ unit: fc.constantFrom('a', '\n', '\x1e', '\x1eabc', '\xff', '\0'), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(record, { minLength: 1 }), fc.integer({ min: 1, max: 20 }), (records, size) => {
      const bytes = Buffer.from(records.map((text) => text + separator).join(''), 'latin1');
      const reader = new RecordReader(separator, records.length, String);
      for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
      assert.equal(reader.end(), records);
    }),
  );
});

test('an answer above the cap is an error with its name', () => {
  const reader = new RecordReader('|', 2, (n) => ['file:/a', 'file:/b'][n] ?? '', 10);
  for (const text of ['ok|', '12345', '67890x', '|']) reader.push(Buffer.from(text));
  assert.throws(() => reader.end(), /the answer to file:\/b is larger than 10 bytes/);
});

test('a wrong number of answers is an error that says where', () => {
  const reader = new RecordReader('|', 3, (n) => `file:/${n}`);
  reader.push(Buffer.from('one|stat: broken'));
  assert.throws(() => reader.end(), /1 answers came to 3 questions \(near file:\/1\); after the last: "stat: broken"/);
});

test('no answer is held beyond the cap', () => {
  const reader = new RecordReader('|', 1, String, 1024);
  const before = process.memoryUsage().arrayBuffers; // part of what `external` counts
  for (let n = 0; n < 2000; n++) reader.push(Buffer.alloc(64 * 1024, 0x61));
  const grown = process.memoryUsage().arrayBuffers - before;
  assert.ok(grown < 64 * 1024 * 1024, `${grown} bytes more`);
  assert.throws(() => reader.end(), /larger/);
});

test.run();
