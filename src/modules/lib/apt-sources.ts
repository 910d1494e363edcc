/** A line of a sources.list as apt reads it. */
export interface SourceLine {
  /** Of a kind that apt knows: deb, deb-src. */
  valid: boolean;
  enabled: boolean;
  source: string;
  comment: string;
}

/** Blanks in sources count once; what stands after a second `#` is a comment. */
export function sourceLine(line: string): SourceLine {
  const text = line.trim();
  const enabled = !text.startsWith('#');
  const rest = enabled ? text : text.slice(1);
  const at = rest.indexOf('#', 1);
  const source = (at < 0 ? rest : rest.slice(0, at)).trim();
  const valid = /^(deb|deb-src)\s/.test(source);
  return {
    valid,
    enabled,
    source: valid ? source.replace(/\s+/g, ' ') : source,
    comment: at < 0 ? '' : rest.slice(at + 1).trim(),
  };
}

export function sourceLines(text: string): SourceLine[] {
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map(sourceLine);
}

export function sourcesText(lines: readonly SourceLine[]): string {
  const text = ({ enabled, source, comment }: SourceLine) =>
    `${enabled ? '' : '# '}${source}${comment === '' ? '' : ` # ${comment}`}\n`;
  return lines.map(text).join('');
}

/** The file that a new source goes to: named after its URI, without scheme, options and password. */
export function sourceFile(source: string, filename: string | undefined): string {
  if (filename?.includes('/')) return filename;
  const uri = source
    .replace(/\[[^\]]+\]/, '')
    .replace(/\w+:\/\//, '')
    .split(/\s+/)
    .find((word) => word !== '' && word !== 'deb' && word !== 'deb-src');
  const host = (uri ?? '').replace(/^[^@]*@/, '');
  const name =
    filename ??
    host
      .replace(/[^a-zA-Z0-9]+/g, ' ')
      .trim()
      .replaceAll(' ', '_');
  return `/etc/apt/sources.list.d/${name}.list`;
}
