import { createHash } from 'node:crypto';

/**
 * Short forms of facts in case files. `file`: `absent`, `{absent: {…}}` or the fields that are not a root-owned regular
 * file's, the mode as octal text. `content`: the text, null for no file. `user`, `group`: the number, false for none.
 */
export function factOf(family: string, id: string, value: unknown): unknown {
  return words[family]?.(value, id) ?? value;
}

type Word = (value: unknown, id: string) => unknown;

const words: Record<string, Word> = {
  file: (value, path) => fileFact(value as Short, path),
  content: (value) => (value === null ? { exists: false } : typeof value === 'string' ? textFact(value) : undefined),
  digest: (value) => (value === null ? {} : typeof value === 'string' ? { hex: value } : undefined),
  user: (value, name) => idFact(value, name, 'uid'),
  group: (value, name) => idFact(value, name, 'gid'),
};

type Short = 'absent' | { absent?: object; kind?: string; mode?: string; exists?: boolean };

function fileFact(value: Short, path: string): unknown {
  const absent = { exists: false, canonical: path, parent: 'directory', missing: 1, setgid: false };
  if (value === 'absent') return absent;
  if (value.absent) return { ...absent, ...value.absent };
  if (value.exists !== undefined) return undefined;
  const mode = value.mode === undefined ? {} : { mode: Number.parseInt(value.mode, 8) };
  return { ...defaults(path, value.kind), ...value, ...mode };
}

function defaults(canonical: string, kind = 'file') {
  const mode = { directory: 0o755, link: 0o777 }[kind] ?? 0o644;
  return { exists: true, canonical, kind, mode, uid: 0, gid: 0, owner: 'root', group: 'root', size: 0, nlink: 1 };
}

function textFact(text: string) {
  return { exists: true, sha256: createHash('sha256').update(text).digest('hex'), text };
}

function idFact(value: unknown, name: string, field: string): unknown {
  if (value === false) return { exists: false };
  return typeof value === 'number' ? { exists: true, name, [field]: value } : undefined;
}
