import { inputError } from '../core/errors.ts';

/** The text of a file: UTF-8, without BOM, line ends as \n. Throws an input error with the place of the first bad byte. */
export function decodeText(bytes: Buffer, file: string): string {
  refuseUtf16(bytes, file);
  const text = utf8(bytes, file).replaceAll('\r\n', '\n');
  refuseControls(text, file);
  return text;
}

function refuseUtf16(bytes: Buffer, file: string): void {
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  if (mark !== 0xfeff && mark !== 0xfffe) return;
  throw inputError('the file is UTF-16', { ...place(file, ''), expected: 'UTF-8 text', hint: 'save it as UTF-8' });
}

function utf8(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const before = bytes.toString('utf8').split('\ufffd')[0] ?? '';
    throw inputError('the file is not UTF-8 text', { ...place(file, before), expected: 'UTF-8 text' });
  }
}

// C0 but tab and line ends, DEL, C1 but NEL, and the two non-characters: what YAML calls not printable.
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

function refuseControls(text: string, file: string): void {
  const at = text.search(unprintable);
  if (at < 0) return;
  const code = text.charCodeAt(at);
  throw inputError(code === 0 ? 'the file holds a NUL byte' : `the file holds the control character ${hex(code)}`, {
    ...place(file, text.slice(0, at)),
    expected: 'text',
    ...(code === 0 ? {} : { hint: 'in double quotes it can be written as an escape such as "\\x01"' }),
  });
}

function hex(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

function place(file: string, before: string) {
  const lines = before.split('\n');
  return { origin: { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 } };
}
