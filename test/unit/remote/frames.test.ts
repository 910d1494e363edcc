import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { FrameParser } from '../../../src/remote/frames.ts';
import { suite } from '../../support/harness.ts';

const test = suite('frame parser');
const marker = '0123456789abcdef0123456789abcdef';
const other = 'fedcba9876543210fedcba9876543210';

type Part = { data: string } | { frame: string[]; marker: string; raw?: string };

test('frames are found at any offset, whatever the chunks', () => {
  fc.assert(
    fc.property(
      fc.array(part(), { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      (parts, sizes) => {
        assert.equal(parse(bytesOf(parts), sizes), joined(parts));
      },
    ),
    { numRuns: 500 },
  );
});

test('arbitrary bytes never break it and are never lost', () => {
  const pieces = fc.oneof(
    fc.uint8Array({ max: 127, maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom('\n', `\n${marker}`, ` ${marker}`, `\n${marker} `, `\n${marker} x`)
      .map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(fc.array(pieces), fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (chunks, sizes) => {
      const input = Buffer.concat(chunks);
      const whole = parse(input, [Math.max(1, input.length)]);
      assert.equal(parse(input, sizes), whole);
      const length = whole.reduce(
        (sum, item) => sum + ('data' in item ? item.data.length : `\n${item.marker} ${item.frame.join(' ')}\n`.length),
        0,
      );
      assert.is(length, input.length);
    }),
    { numRuns: 500 },
  );
});

test('one newline before a frame belongs to the frame', () => {
  assert.equal(parse(Buffer.from(`hi\n\n${marker} end s 1 0\n`), [1000]), [
    { data: 'hi\n' },
    { frame: ['end', 's', '1', '0'], marker },
  ]);
  assert.equal(parse(Buffer.from(`hi\n${marker} end s 1 0\n`), [1000]), [
    { data: 'hi' },
    { frame: ['end', 's', '1', '0'], marker },
  ]);
});

test('a line longer than any frame is data', () => {
  const long = `\n${marker} ${'x'.repeat(9000)}\n`;
  assert.equal(parse(Buffer.from(long), [100]), [{ data: long }]);
});

test('text without a newline comes through at once, so that output is live', () => {
  const got: string[] = [];
  const parser = new FrameParser([marker], { data: (chunk) => got.push(chunk.toString()), frame: () => undefined });
  parser.push(Buffer.from('50%'));
  assert.equal(got, ['50%']);
});

test.run();

function part(): fc.Arbitrary<Part> {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '\n', ' ', '0', '1', marker.slice(0, 8), '\x1e'),
    maxLength: 30,
  });
  const words = fc.array(fc.constantFrom('begin', 'end', 's', '7', 'count', ''), { minLength: 1, maxLength: 4 });
  return fc.oneof(
    text.map((data) => ({ data })),
    fc.record({ frame: words, marker: fc.constantFrom(marker, other) }),
    // Counted bytes may look like frames.
    fc
      .constantFrom('', 'x', `\n${marker} end\n`, `${other} begin`)
      .map((raw) => ({ frame: ['raw', `${raw.length}`], marker, raw })),
  );
}

function bytesOf(parts: Part[]): Buffer {
  return Buffer.from(
    parts.map((p) => ('data' in p ? p.data : `\n${p.marker} ${p.frame.join(' ')}\n${p.raw ?? ''}`)).join(''),
  );
}

/** What a reader should see: neighbouring data is one. */
function joined(parts: Part[]): Part[] {
  return merge(
    parts.flatMap((p): Part[] => ('data' in p ? [p] : [{ frame: p.frame, marker: p.marker }, { data: p.raw ?? '' }])),
  );
}

function parse(input: Buffer, sizes: number[]): Part[] {
  const got: Part[] = [];
  const parser = new FrameParser([marker, other], {
    data: (chunk) => void got.push({ data: chunk.toString('latin1') }),
    frame: (frame, of) => {
      got.push({ frame, marker: of });
      return frame[0] === 'raw' ? Number(frame[1] ?? 0) || 0 : undefined;
    },
  });
  for (let at = 0, n = 0; at < input.length; n++) {
    const size = sizes[n % sizes.length] ?? 1;
    parser.push(Buffer.from(input.subarray(at, at + size)));
    at += size;
  }
  parser.end();
  return merge(got);
}

function merge(parts: Part[]): Part[] {
  const all: Part[] = [];
  for (const p of parts) {
    const last = all.at(-1);
    if ('data' in p && last && 'data' in last) last.data += p.data;
    else if (!('data' in p) || p.data !== '') all.push('data' in p ? { ...p } : p);
  }
  return all;
}
