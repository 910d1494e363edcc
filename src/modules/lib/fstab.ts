/** One entry of fstab, unescaped. */
export interface FstabEntry {
  src: string;
  path: string;
  fstype: string;
  opts: string;
  dump: string;
  passno: string;
}

/** The text with this entry: the lines of its path (of swap: of its source) are changed, or one is added. */
export function setEntry(text: string, entry: FstabEntry): string {
  const lines = linesOf(text);
  const own = lines.map((line) => sameMount(line, entry));
  if (own.every((found) => found === undefined)) return joined([...lines, render(entry)]);
  const changed = lines.map((line, index) => (own[index] && !equals(own[index], entry) ? render(entry) : line));
  return changed.every((line, index) => line === lines[index]) ? text : joined(changed);
}

/** The text without the lines of a path (of swap: of its source). */
export function unsetEntry(text: string, path: string, src: string | undefined): string {
  const lines = linesOf(text);
  const left = lines.filter((line) => !sameMount(line, { path, src }));
  return left.length === lines.length ? text : joined(left);
}

function sameMount(line: string, wanted: { path: string; src?: string | undefined }): FstabEntry | undefined {
  const entry = parse(line);
  if (!entry || entry.path !== wanted.path) return undefined;
  const otherSwap =
    entry.path === 'none' && entry.fstype === 'swap' && wanted.src !== undefined && entry.src !== wanted.src;
  return otherSwap ? undefined : entry;
}

function parse(line: string): FstabEntry | undefined {
  const fields = line.trim().split(/\s+/);
  if (line.trim() === '' || line.trim().startsWith('#') || fields.length < 4 || fields.length > 6) return undefined;
  const [src = '', path = '', fstype = '', opts = '', dump = '0', passno = '0'] = fields.map(unescapeField);
  return { src, path, fstype, opts, dump, passno };
}

function render({ src, path, fstype, opts, dump, passno }: FstabEntry): string {
  return [src, path, fstype, opts, dump, passno].map(escapeField).join(' ');
}

function equals(a: FstabEntry, b: FstabEntry): boolean {
  return (['src', 'path', 'fstype', 'opts', 'dump', 'passno'] as const).every((name) => a[name] === b[name]);
}

function escapeField(text: string): string {
  return text.replaceAll('\\', '\\134').replaceAll(' ', '\\040').replaceAll('&', '\\046').replaceAll('\t', '\\011');
}

function unescapeField(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function joined(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
