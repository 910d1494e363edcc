/**
 * Text that came from a host, made harmless for a terminal: escape sequences are dropped, other control and
 * direction-changing characters are shown (`^G`, `<U+202E>`). Newlines and tabs stay.
 */
export function sanitize(text: string): string {
  if (!suspicious.test(text)) return text;
  return text
    .replace(loneSurrogates, '\ufffd')
    .replaceAll('\r\n', '\n')
    .replace(sequences, '')
    .replace(controls, visible);
}

/** One line of it: what a terminal would show last of a line that was overwritten by carriage returns; no tabs. */
export function sanitizeLine(text: string): string {
  const shown = text
    .replace(/[\r\n]+$/, '')
    .split(/[\r\n]/)
    .at(-1);
  return sanitize(shown ?? '').replaceAll('\t', '  ');
}

const loneSurrogates = /[\ud800-\udfff]/gu;
const suspicious = /[^\n\t\x20-\x7e]/;

/** CSI, then the string sequences (OSC, DCS, SOS, PM, APC) that end on their line, then two-character escapes. */
const sequences =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g;

/** C0 and C1 controls, line separators, marks that reorder text, invisible tag characters. */
const controls =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  if (code === 0x7f) return '^?';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
