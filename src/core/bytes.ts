/** A latin1 record (a char a byte) as the UTF-8 text it is. */
export function utf8(record: string): string {
  return Buffer.from(record, 'latin1').toString('utf8');
}

/** UTF-8 text as a latin1 record. */
export function latin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
