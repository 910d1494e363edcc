/**
 * The text with one line for a setting, or (value undefined) none: the first line that has it is changed, further ones
 * go; a new one comes last. What is so already stays byte for byte.
 */
export function setLine(text: string, name: string, value: string | undefined): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const own = lines.map((line, index) => ({ index, pair: pairOf(line) })).filter(({ pair }) => pair?.[0] === name);
  if (value === undefined) return own.length === 0 ? text : joined(lines.filter((line) => pairOf(line)?.[0] !== name));
  if (own.at(-1)?.pair?.[1] === value) return text;
  const line = `${name}=${value}`;
  const [first] = own;
  if (!first) return joined([...lines, line]);
  const others = new Set(own.slice(1).map(({ index }) => index));
  return joined(
    lines.map((old, index) => (index === first.index ? line : old)).filter((_, index) => !others.has(index)),
  );
}

/** Names and values in order; of one that is there twice the last one counts. */
export function settingsOf(text: string): [name: string, value: string][] {
  const pairs = text.split('\n').map(pairOf);
  return [...new Map(pairs.filter((pair) => pair !== undefined))];
}

function pairOf(line: string): [string, string] | undefined {
  const trimmed = line.trim();
  const equals = trimmed.indexOf('=');
  if (equals < 1 || /^[#;]/.test(trimmed)) return undefined;
  return [trimmed.slice(0, equals).trim(), trimmed.slice(equals + 1).trim()];
}

function joined(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
