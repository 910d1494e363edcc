import { fourDigits } from '../core/mode.ts';
import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { result, TaskFailure } from '../core/result.ts';
import { makeFloat, type Value } from '../jinja/values.ts';
import { content } from '../world/content.ts';
import { algorithms, digest } from '../world/digest.ts';
import {
  type ListedFile,
  type ListingFact,
  type ListingQuery,
  listing,
  listingKey,
  listingLimit,
} from '../world/listing.ts';
import { defineModule } from './define.ts';
import { walkOrder } from './lib/find-order.ts';
import { agePasses, namePasses, sizePasses } from './lib/find-tests.ts';
import { hostPath, join, pathKeys } from './lib/paths.ts';
import { regex } from './lib/regex.ts';
import { keysOrNone } from './lib/source.ts';

const params = {
  paths: { type: 'list', elements: 'path', doc: 'Directories to search', required: true, aliases: ['name', 'path'] },
  patterns: {
    type: 'list',
    elements: 'str',
    doc: 'Shell patterns of names (regexps with use_regex)',
    aliases: ['pattern'],
  },
  excludes: { type: 'list', elements: 'str', doc: 'Patterns of names to leave out', aliases: ['exclude'] },
  contains: { type: 'str', doc: 'A regexp that a line of the file must begin with' },
  read_whole_file: { type: 'bool', doc: 'contains is searched anywhere in the whole text', default: false },
  file_type: { type: 'str', doc: 'What to find', default: 'file', choices: ['any', 'directory', 'file', 'link'] },
  recurse: { type: 'bool', doc: 'Search below too', default: false },
  depth: { type: 'int', doc: 'How deep' },
  age: { type: 'str', doc: 'Older than this (2d; s, m, h, d, w); with a minus, newer' },
  age_stamp: { type: 'str', doc: 'The time that age is about', default: 'mtime', choices: ['atime', 'ctime', 'mtime'] },
  size: { type: 'str', doc: 'At least this big (10m; b, k, m, g, t); with a minus, at most' },
  hidden: { type: 'bool', doc: 'Names that begin with a dot too', default: false },
  follow: { type: 'bool', doc: 'Follow links', default: false },
  use_regex: { type: 'bool', doc: 'Patterns are regexps for the whole name', default: false },
  get_checksum: { type: 'bool', doc: 'Hash regular files', default: false },
  checksum_algorithm: {
    type: 'str',
    doc: 'How',
    default: 'sha1',
    choices: algorithms,
    aliases: ['checksum', 'checksum_algo'],
  },
} as const satisfies ParamSpecs;

type FindParams = Params<typeof params>;

export const findFilesModule = defineModule({
  name: 'find',
  doc: {
    summary: 'Lists files of the host by name, kind, size, age and content',
    notes: [`At most ${listingLimit} entries a directory fit the names.`],
    examples: "- find: {paths: /etc/kubernetes/manifests, patterns: '*.yaml'}\n  register: manifests\n",
    returns: { files: 'path, mode, size, owner, times and more of each', matched: 'how many', examined: 'of how many' },
  },
  params,
  facts: (given, ctx) =>
    keysOrNone(() => given.paths.flatMap((path) => pathKeys(ctx, path, (dir) => [listingKey(dir, queryOf(given))]))),
  plan: (given, world, ctx) => planFind(given, world, ctx),
});

/** What the host can judge; the rest is judged here. */
function queryOf(given: FindParams): ListingQuery {
  const depth = given.recurse ? given.depth : 1;
  const names = given.use_regex ? undefined : given.patterns;
  return {
    depth,
    // Ansible looks into the folders at the deepest level, too, before it turns back.
    counted: given.recurse && given.depth !== undefined ? given.depth + 1 : undefined,
    kind: given.file_type === 'any' ? undefined : (given.file_type as 'file'),
    names: names?.length ? names.map((name) => name.replaceAll('\\', '[\\\\]')) : undefined,
    follow: given.follow,
  };
}

function planFind(given: FindParams, world: WorldView, ctx: ModuleContext): Plan {
  const found = given.paths.map((path) => search(hostPath(world, ctx, path), given, world, ctx));
  const files = found.flatMap((part) => part.files);
  const skipped = found.filter((part) => part.skipped !== undefined);
  return {
    steps: [],
    result: result(false, {
      files,
      matched: files.length,
      examined: found.reduce((sum, part) => sum + part.examined, 0),
      skipped_paths: new Map(skipped.map(({ path, skipped: why }) => [path, why!])),
      msg: skipped.length ? 'Not all paths examined, check warnings for details' : 'All paths examined',
    }),
    warnings: skipped.map(({ path, skipped: why }) => `Skipped '${path}' path due to this access issue: ${why}`),
  };
}

function search(path: string, given: FindParams, world: WorldView, ctx: ModuleContext) {
  const fact: ListingFact = listing(world, path, queryOf(given));
  if (!fact.directory) return { path, files: [], examined: 0, skipped: `'${path}' is not a directory` };
  if (fact.more)
    throw new TaskFailure(`more than ${listingLimit} files in ${path} fit`, {}, 'narrow patterns, or depth');
  const files = walkOrder(fact.entries)
    .filter((entry) => passes(entry, given, ctx))
    .filter((entry) => contentPasses(join(path, entry.path), entry, given, world))
    .map((entry) => describe(join(path, entry.path), entry, given, world));
  return { path, files, examined: fact.examined };
}

function passes(entry: ListedFile, given: FindParams, ctx: ModuleContext): boolean {
  const name = entry.path.slice(entry.path.lastIndexOf('/') + 1);
  if (name.startsWith('.') && !given.hidden) return false;
  const now = Math.floor(ctx.now / 1000);
  const stamp = entry[given.age_stamp as 'mtime'];
  return (
    namePasses(name, given) &&
    agePasses(given.age, now - Number(stamp)) &&
    (entry.kind !== 'file' || sizePasses(given.size, entry.size))
  );
}

/** Each line is matched from its beginning, as Ansible does; what is no text does not contain anything. */
function contentPasses(path: string, entry: ListedFile, given: FindParams, world: WorldView): boolean {
  if (given.contains === undefined || given.file_type !== 'file' || entry.kind !== 'file') return true;
  const pattern = regex(given.contains, 'contains');
  const { text } = content(world, path, { text: true });
  if (text === undefined) return false;
  if (given.read_whole_file) return pattern.search(text) !== undefined;
  return text.split('\n').some((line) => pattern.match(line) !== undefined);
}

function describe(path: string, entry: ListedFile, given: FindParams, world: WorldView): Map<Value, Value> {
  const { kind, mode } = entry;
  const sum =
    given.get_checksum && kind === 'file' ? digest(world, path, given.checksum_algorithm as 'sha1') : undefined;
  return new Map<Value, Value>(
    Object.entries({
      path,
      mode: fourDigits(mode),
      isdir: kind === 'directory',
      ischr: kind === 'char',
      isblk: kind === 'block',
      isreg: kind === 'file',
      isfifo: kind === 'fifo',
      islnk: kind === 'link',
      issock: kind === 'socket',
      uid: entry.uid,
      gid: entry.gid,
      size: entry.size,
      inode: entry.inode,
      dev: entry.dev,
      nlink: entry.nlink,
      atime: makeFloat(Number(entry.atime)),
      mtime: makeFloat(Number(entry.mtime)),
      ctime: makeFloat(Number(entry.ctime)),
      gr_name: entry.group,
      pw_name: entry.owner,
      ...bits(mode),
      ...(sum === undefined ? {} : { checksum: sum }),
    }),
  );
}

function bits(mode: number): Record<string, Value> {
  const names = {
    wusr: 0o200,
    rusr: 0o400,
    xusr: 0o100,
    wgrp: 0o20,
    rgrp: 0o40,
    xgrp: 0o10,
    woth: 2,
    roth: 4,
    xoth: 1,
  };
  const special = { isuid: 0o4000, isgid: 0o2000 };
  return Object.fromEntries(Object.entries({ ...names, ...special }).map(([name, bit]) => [name, (mode & bit) !== 0]));
}
