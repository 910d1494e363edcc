import { readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { posix } from 'node:path';
import { items } from '../python/sequence.ts';
import { need, shownType } from '../python/types.ts';
import { stringOf } from './helpers.ts';
import { isList } from './lists.ts';
import { type FilterTable, filter, isString, Tuple, typeError, type Value } from './types.ts';

const path = (doc: string, run: (path: string) => Value) => filter('', doc, (value) => run(stringOf(value, 'a path')));

/** Paths of the controller. None of these reads more than names. */
export const pathFilters: FilterTable = {
  basename: path('The last part of a path.', (value) => value.slice(value.lastIndexOf('/') + 1)),
  dirname: path('A path without its last part.', dirname),
  splitext: path('A path and its extension.', splitExtension),
  expanduser: path('A path with ~ replaced.', expandUser),
  expandvars: path('A path with $VARIABLES of the controller replaced.', expandVariables),
  realpath: path('A path without links.', realPath),
  relpath: filter('start?', 'A path as seen from another.', (value, [start = '.']) => {
    if (stringOf(value, 'a path') === '') throw typeError('relpath: no path specified');
    return posix.relative(posix.resolve(stringOf(start, 'start')), posix.resolve(stringOf(value))) || '.';
  }),
  path_join: filter('', 'One path of several parts.', (value) => {
    need(value);
    if (isString(value)) return stringOf(value);
    if (!isList(value)) throw typeError(`|path_join expects string or sequence, got ${shownType(value)} instead.`);
    return joinPaths(items(value).map((part) => stringOf(part, 'a path')));
  }),
  win_basename: path('The last part of a Windows path.', (value) => /[^\\/]*$/.exec(splitDrive(value)[1])![0]),
  win_dirname: path('A Windows path without its last part.', (value) => {
    const [drive, rest] = splitDrive(value);
    const head = rest.slice(0, rest.length - /[^\\/]*$/.exec(rest)![0].length);
    return drive + (head.replace(/[\\/]+$/, '') || head);
  }),
  win_splitdrive: path('Drive and path of a Windows path.', (value) => new Tuple(splitDrive(value))),
  fileglob: path('The files of the controller that match a pattern.', fileGlob),
};

function dirname(value: string): string {
  const head = value.slice(0, value.lastIndexOf('/') + 1);
  return head.replace(/\/+$/, '') || head;
}

function splitExtension(value: string): Value {
  const base = value.slice(value.lastIndexOf('/') + 1);
  const at = base.replace(/^\.+/, (dots) => '_'.repeat(dots.length)).lastIndexOf('.');
  if (at < 0) return new Tuple([value, '']);
  const cut = value.length - base.length + at;
  return new Tuple([value.slice(0, cut), value.slice(cut)]);
}

function expandUser(value: string): string {
  const [, user] = /^~([^/]*)/.exec(value) ?? [];
  if (user === undefined || (user !== '' && user !== userInfo().username)) return value;
  const home = (user === '' && process.env.HOME) || homedir();
  return home.replace(/\/+$/, '') + value.slice(user.length + 1) || '/';
}

function expandVariables(value: string): string {
  return value.replace(/\$(?:(\w+)|\{([^}]*)\})/g, (whole, plain, braced) => process.env[plain ?? braced] ?? whole);
}

/** As far as the path exists; the rest is only cleaned. */
function realPath(value: string): string {
  const absolute = posix.resolve(value);
  try {
    return realpathSync(absolute);
  } catch {
    return absolute === '/' ? '/' : posix.join(realPath(posix.dirname(absolute)), posix.basename(absolute));
  }
}

/** A part that begins with / starts anew. */
export function joinPaths(parts: readonly string[]): string {
  return parts.reduce((joined, part) => {
    if (part.startsWith('/')) return part;
    return joined === '' || joined.endsWith('/') ? joined + part : `${joined}/${part}`;
  });
}

function splitDrive(value: string): [string, string] {
  const drive = /^(?:[a-zA-Z]:|[\\/]{2}[^\\/]*(?:[\\/][^\\/]*)?)/.exec(value)?.[0] ?? '';
  return [drive, value.slice(drive.length)];
}

function fileGlob(pattern: string): Value[] {
  return glob(pattern).filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** `*`, `?` and `[…]` within one folder level each; hidden names only for patterns that begin with a dot. */
function glob(pattern: string): string[] {
  const parts = pattern.split('/');
  const start = pattern.startsWith('/') ? ['/'] : [''];
  return parts
    .filter(Boolean)
    .reduce<string[]>((found, part) => found.flatMap((folder) => children(folder, part)), start);
}

function children(folder: string, part: string): string[] {
  const full = (name: string) => (folder === '' || folder.endsWith('/') ? folder + name : `${folder}/${name}`);
  if (!/[*?[]/.test(part)) return statSync(full(part), { throwIfNoEntry: false }) ? [full(part)] : [];
  const regex = globRegex(part);
  return names(folder || '.')
    .filter((name) => regex.test(name) && (part.startsWith('.') || !name.startsWith('.')))
    .map(full);
}

function names(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
}

function globRegex(part: string): RegExp {
  const source = part.replace(/\[!?[^\]]+\]|[\s\S]/g, (piece) => {
    if (piece === '*') return '[^/]*';
    if (piece === '?') return '[^/]';
    if (piece.length > 1) return characterClass(piece.slice(1, -1));
    return piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 's');
}

/** A range that goes down holds nothing in Python, and is an error in JavaScript. */
function characterClass(body: string): string {
  const isNegated = body.startsWith('!');
  const inner = body
    .slice(isNegated ? 1 : 0)
    .replace(/([\s\S])-([\s\S])/g, (range, from: string, to: string) => (from > to ? '' : range))
    .replace(/[\\\]^]/g, '\\$&');
  return `[${isNegated ? '^' : ''}${inner}]`;
}
