import { readThem } from '../support/archives.ts';
import type { Target } from '../support/target.ts';

/** Zip archives of unarchive. */
export const target: Target = {
  words: [
    ...[
      'PK\x05\x06',
      'PK\x01\x02',
      'PK\x03\x04',
      '../../etc/passwd',
      '/etc/passwd',
      'a/',
      '\xff\xff',
      '\xff\xff\xff\xff',
    ],
    ...['\x08\0', '\0\0', '\x01\0', '\0\0\0\xa1', '\xff\xff\xff\x7f', '\x4b\x4c\x04\0'],
  ],
  run: readThem,
};
