import { gzipSync } from 'node:zlib';
import { readThem } from '../support/archives.ts';
import { tarRepaired, tarWords } from '../support/tar.ts';
import type { Target } from '../support/target.ts';

/** Archives of unarchive; one in three is packed again after it was changed. */
export const target: Target = {
  words: tarWords,
  repair: tarRepaired,
  run: (input) => readThem(input.length % 3 === 0 ? gzipSync(input, { level: 1 }) : input),
};
