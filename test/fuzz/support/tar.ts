/** A tar with the check sum of each header made right, as far as headers follow one another. */
export function tarRepaired(input: Buffer): Buffer {
  const made = Buffer.from(input);
  for (let at = 0; at + 512 <= made.length; ) {
    const header = made.subarray(at, at + 512);
    if (header.every((byte) => byte === 0)) break;
    header.write('        ', 148, 'latin1');
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    const size = Number.parseInt(header.toString('latin1', 124, 135), 8);
    at += 512 + (size > 0 ? Math.ceil(size / 512) * 512 : 0);
  }
  return made;
}

/** Fields of a header, and members that say something about the next. */
export const tarWords: readonly string[] = [
  ...[
    '00000000000',
    '77777777777',
    '00000001000',
    '-0000002000',
    '9999',
    '\x80\0\0\0\0\0\0\0\xff',
    '\xff'.repeat(12),
    'ustar\x0000',
  ],
  ...['0', '1', '2', '3', '5', 'x', 'g', 'L', 'K', '././@LongLink', '../../etc/passwd', '/etc/passwd', 'a/b/', './'],
  ...[
    '30 path=../x\n',
    '19 size=-1024\n',
    '20 size=99999999\n',
    '12 uid=x\n',
    '25 linkpath=/etc/shadow\n',
    '\0'.repeat(512),
  ],
];
