import type { Answer, FactKey } from '../src/core/facts.ts';

/** Tasks on files as a node preparation has them, mixed; and a host of which only answers exist. */
export interface FakeSite {
  tasks: object[];
  files: Record<string, string>;
  answer(key: FactKey): Answer;
}

/** `changed` or not: the host lacks everything, or has it as it is wanted. */
export function fakeSite(count: number, changed: boolean, loop = false): FakeSite {
  const tasks = loop ? [loopOf(count)] : Array.from({ length: count }, (_, n) => taskOf(n));
  return { tasks, files: { 't.j2': 'n={{ n }} {{ version }}\n' }, answer: changed ? bare : ready };
}

const folder = (n: number) => `/srv/d${Math.floor(n / 50)}`;

function taskOf(n: number): object {
  const path = `${folder(n)}/f${n}`;
  if (n % 50 === 0) return { file: { path: folder(n), state: 'directory', mode: '0755' } };
  if (n % 10 === 3) return { file: { src: 'f', dest: path, state: 'link', force: true } };
  if (n % 10 === 5) return { template: { src: 't.j2', dest: path, mode: '0644' }, vars: { n } };
  if (n % 10 === 7) return { lineinfile: { path: '/etc/environment', line: `N${n}=1`, create: true, mode: '0644' } };
  if (n % 10 === 9) return { lineinfile: { path, line: `n=${n}`, create: true, mode: '0644' } };
  return { copy: { dest: path, content: `n=${n} {{ version }}\n`, mode: '0644' } };
}

function loopOf(count: number): object {
  const copy = { dest: '/srv/f{{ item }}', content: 'n={{ item }}\n', mode: '0644' };
  return { copy, loop: Array.from({ length: count }, (_, n) => n) };
}

const known = (value: unknown): Answer => ({ state: 'known', raw: 'r', value });
const owned = { uid: 0, gid: 0, owner: 'root', group: 'root', nlink: 1, dev: 1 };
const folders = new Set(['/', '/srv', '/etc', '/etc/environment']);

function bare({ family, id }: FactKey): Answer {
  if (family === 'content') return known({ exists: false });
  if (id === '/etc/environment') return known({ exists: false, canonical: id, parent: 'directory', missing: 1 });
  if (folders.has(id)) return known({ exists: true, canonical: id, kind: 'directory', mode: 0o755, ...owned });
  const missing = id.split('/').length - 2;
  return known({ exists: false, canonical: id, parent: missing > 1 ? 'missing' : 'directory', missing });
}

/** What the tasks want: their number is in the name. */
function ready({ family, id, wants }: FactKey): Answer {
  const n = Number(/\/f(\d+)$/.exec(id)?.[1] ?? -1);
  if (family === 'content') return { ...known(contentOf(id, n, wants?.sha256)), wants } as Answer;
  if (folders.has(id) && id !== '/etc/environment') return bare({ family, id });
  if (n >= 0 && n % 10 === 3 && n % 50 !== 0)
    return known({ exists: true, canonical: id, kind: 'link', target: 'f', mode: 0o777, ...owned });
  const kind = /\/d\d+$/.test(id) ? 'directory' : 'file';
  return known({ exists: true, canonical: id, kind, mode: kind === 'file' ? 0o644 : 0o755, size: 10, ...owned });
}

function contentOf(id: string, n: number, sha256: unknown) {
  if (id === '/etc/environment') return { exists: true, sha256: 'e', text: environment };
  if (n % 10 === 9) return { exists: true, sha256: String(n), text: `n=${n}\n` };
  return { exists: true, sha256 };
}

const environment = Array.from({ length: 1000 }, (_, n) => `N${n * 10 + 7}=1\n`).join('');
