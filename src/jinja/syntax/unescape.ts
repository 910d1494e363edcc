const simple: Record<string, string> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const escapes = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|([\s\S]))/gu;

/** Resolves Python's string escapes; unknown ones stay as they are. Undefined when one is malformed. */
export function unescapeString(source: string): string | undefined {
  if (!source.includes('\\')) return source;
  let malformed = false;
  const result = source.replace(escapes, (whole, x, u, long, octal, other) => {
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
    const point = Number.parseInt(x ?? u ?? long, 16);
    if (point <= 0x10ffff) return String.fromCodePoint(point);
    if (other === undefined || 'xuUN'.includes(other)) malformed = true;
    return simple[other] ?? whole;
  });
  return malformed ? undefined : result;
}
