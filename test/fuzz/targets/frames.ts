import { FrameParser } from '../../../src/remote/frames.ts';
import type { Target } from '../support/target.ts';

const marker = 'kp-5f2c8a1e9b3d';
const other = 'kp-0000aaaa1111';

/** The output of a shell, cut into pieces of the sizes that its first two bytes give. */
export const target: Target = {
  words: [
    ...[`\n${marker} `, `\n${marker}`, `${marker} begin s 1\n`, `\n${marker} raw 7\n`, `\n${marker} raw 99999\n`],
    ...[`\n${other} end\n`, `\n${other.slice(0, 9)}`, '\n', '\r\n', ' ', '\0', '\u001b]0;x\u0007', 'x'.repeat(9000)],
  ],
  run(input) {
    const sizes = [1 + (input[0] ?? 0), 1 + (input[1] ?? 0) * 16];
    const bytes = input.subarray(2);
    const whole = cut(bytes, [bytes.length + 1]);
    const pieces = cut(bytes, sizes);
    if (JSON.stringify(whole) !== JSON.stringify(pieces)) throw new Error('other frames when it comes in pieces');
    if (Buffer.concat(whole.map(written)).toString('utf8') !== bytes.toString('utf8'))
      throw new Error('bytes are lost, or made up');
    const frames = whole.filter(({ words }) => words);
    return `${Math.min(9, frames.length)} frames ${[...new Set(frames.map(({ words }) => words?.[0]?.slice(0, 5)))].sort().slice(0, 3)}`;
  },
};

interface Item {
  words?: string[];
  marker?: string;
  data?: string;
}

function cut(bytes: Buffer, sizes: number[]): Item[] {
  const items: Item[] = [];
  const parser = new FrameParser([marker, other], {
    frame(words, which) {
      items.push({ words, marker: which });
      return words[0] === 'raw' && /^\d{1,6}$/.test(words[1] ?? '') ? Number(words[1]) : undefined;
    },
    data(chunk) {
      const last = items.at(-1);
      if (last?.data === undefined) items.push({ data: chunk.toString('latin1') });
      else last.data += chunk.toString('latin1');
    },
  });
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    parser.push(bytes.subarray(at, at + size));
    at += size;
  }
  parser.end();
  return items;
}

function written({ words, marker: which, data }: Item): Buffer {
  return data === undefined ? Buffer.from(`\n${which} ${(words ?? []).join(' ')}\n`) : Buffer.from(data, 'latin1');
}
