import type { FactKey } from '../core/facts.ts';
import { fourDigits } from '../core/mode.ts';
import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { result } from '../core/result.ts';
import { makeFloat, Unknown, type Value } from '../jinja/values.ts';
import { algorithms, digest, digestKey } from '../world/digest.ts';
import { fileKey, type PresentFile } from '../world/file.ts';
import { UnknownRead } from '../world/read.ts';
import { type StatFact, statKey, statMore } from '../world/stat.ts';
import { defineModule } from './define.ts';
import { followed, located } from './lib/links.ts';
import { hostPath, pathKeys } from './lib/paths.ts';
import { keysOrNone } from './lib/source.ts';

const params = {
  path: { type: 'path', doc: 'What to look at', required: true, aliases: ['dest', 'name'] },
  follow: { type: 'bool', doc: 'Look at what a link leads to', default: false },
  get_checksum: { type: 'bool', doc: 'Hash regular files', default: true },
  checksum_algorithm: {
    type: 'str',
    doc: 'How',
    default: 'sha1',
    choices: algorithms,
    aliases: ['checksum', 'checksum_algo'],
  },
  get_mime: {
    type: 'bool',
    doc: 'Tell mimetype and charset; unknown where the host has no `file`',
    default: true,
    aliases: ['mime', 'mime_type', 'mime-type'],
  },
  get_attributes: {
    type: 'bool',
    doc: 'Tell the flags of lsattr',
    default: true,
    aliases: ['attr', 'attributes'],
  },
} as const satisfies ParamSpecs;

type StatParams = Params<typeof params>;

export const statModule = defineModule({
  name: 'stat',
  doc: {
    summary: 'Looks at a file',
    examples: '- stat: {path: /etc/kubernetes/admin.conf}\n  register: admin\n',
    returns: { stat: 'exists, isdir, islnk, isreg, mode, size, uid, gid, pw_name, gr_name, mtime, checksum and more' },
  },
  params,
  facts: (given, ctx) => keysOrNone(() => pathKeys(ctx, given.path, (path) => keysOf(given, path))),
  plan: (given, world, ctx) => planStat(given, world, ctx),
});

function keysOf(given: StatParams, path: string): FactKey[] {
  const sum = given.get_checksum ? [digestKey(path, given.checksum_algorithm as 'sha1')] : [];
  return [fileKey(path), statKey(path, wantsOf(given)), ...sum];
}

function wantsOf(given: StatParams) {
  return { ...(given.get_mime ? { mime: true } : {}), ...(given.get_attributes ? { attributes: true } : {}) } as const;
}

function planStat(given: StatParams, world: WorldView, ctx: ModuleContext): Plan {
  const path = hostPath(world, ctx, given.path);
  const at = located(world, path, given.follow);
  if (!at.fact.exists) return { steps: [], result: result(false, { stat: dict({ exists: false }) }) };
  const fields = {
    exists: true,
    path,
    ...kindFields(at.fact),
    ...attributeFields(at.fact),
    ...moreFields(statMore(world, at.path, wantsOf(given))),
    ...programFields(given, statMore(world, path, wantsOf(given))),
    ...linkFields(at.fact, path, world),
    ...checksumField(given, at.path, at.fact, world),
  };
  return { steps: [], result: result(false, { stat: dict(fields) }) };
}

function dict(fields: Record<string, Value>): Map<Value, Value> {
  return new Map(Object.entries(fields));
}

function kindFields({ kind }: PresentFile): Record<string, Value> {
  return {
    isdir: kind === 'directory',
    ischr: kind === 'char',
    isblk: kind === 'block',
    isreg: kind === 'file',
    isfifo: kind === 'fifo',
    islnk: kind === 'link',
    issock: kind === 'socket',
  };
}

function attributeFields(fact: PresentFile): Record<string, Value> {
  return {
    mode: fact.mode === undefined ? later('mode') : fourDigits(fact.mode),
    uid: fact.uid ?? later('owner'),
    gid: fact.gid ?? later('group'),
    size: fact.size ?? later('size'),
    inode: fact.inode ?? later('inode'),
    dev: fact.dev ?? later('device'),
    nlink: fact.nlink ?? later('number of links'),
    mtime: seconds(fact.mtime),
    ctime: seconds(fact.ctime),
    pw_name: fact.owner ?? later('owner'),
    gr_name: fact.group ?? later('group'),
    ...bitFields(fact.mode),
  };
}

const bits: Record<string, number> = {
  wusr: 0o200,
  rusr: 0o400,
  xusr: 0o100,
  wgrp: 0o020,
  rgrp: 0o040,
  xgrp: 0o010,
  woth: 0o002,
  roth: 0o004,
  xoth: 0o001,
  isuid: 0o4000,
  isgid: 0o2000,
};

function bitFields(mode: number | undefined): Record<string, Value> {
  const value = (bit: number) => (mode === undefined ? later('mode') : (mode & bit) !== 0);
  return Object.fromEntries(Object.entries(bits).map(([name, bit]) => [name, value(bit)]));
}

function moreFields(more: StatFact): Record<string, Value> {
  return {
    atime: seconds(more.atime),
    block_size: more.blockSize ?? later('block size'),
    blocks: more.blocks ?? later('number of blocks'),
    device_type: more.rdev ?? later('device type'),
    readable: more.readable ?? later('access'),
    writeable: more.writeable ?? later('access'),
    executable: more.executable ?? later('access'),
  };
}

/** What `file` and lsattr say of the path itself: they follow no link. */
function programFields(given: StatParams, more: StatFact): Record<string, Value> {
  return {
    ...(given.get_mime ? mimeFields(more.mime) : {}),
    ...(given.get_attributes ? flagFields(more.attributes) : {}),
  };
}

function mimeFields(said: string | undefined): Record<string, Value> {
  if (said === undefined) return { mimetype: later('MIME type'), charset: later('character set') };
  const [, mimetype = 'unknown', charset = 'unknown'] = /^([^;]+);\s*charset=([^;]+)$/.exec(said) ?? [];
  return { mimetype, charset };
}

function flagFields(found: StatFact['attributes']): Record<string, Value> {
  if (!found) return { attr_flags: later('attributes'), attributes: later('attributes'), version: later('version') };
  const { flags, version } = found;
  return { attr_flags: flags, attributes: [...flags].map((flag) => flagNames[flag] ?? flag), version };
}

const flagNames: Record<string, string> = {
  A: 'noatime',
  a: 'append',
  c: 'compressed',
  C: 'nocow',
  d: 'nodump',
  D: 'dirsync',
  e: 'extents',
  E: 'encrypted',
  i: 'immutable',
  I: 'indexed',
  j: 'journalled',
  N: 'inline',
  s: 'zero',
  S: 'synchronous',
  t: 'notail',
  T: 'blockroot',
  u: 'undelete',
  X: 'compressedraw',
  Z: 'compressederror',
};

function linkFields(fact: PresentFile, path: string, world: WorldView): Record<string, Value> {
  if (fact.kind !== 'link') return {};
  return { lnk_source: followed(world, path).fact.canonical, lnk_target: fact.target ?? later('target') };
}

/** Only regular files have one. */
function checksumField(given: StatParams, path: string, fact: PresentFile, world: WorldView): Record<string, Value> {
  if (!given.get_checksum || fact.kind !== 'file') return {};
  try {
    const hex = digest(world, path, given.checksum_algorithm as 'sha1');
    return hex === undefined ? {} : { checksum: hex };
  } catch (error) {
    if (error instanceof UnknownRead) return { checksum: new Unknown(error.why) };
    throw error;
  }
}

function seconds(time: string | undefined): Value {
  return time === undefined ? later('time') : makeFloat(Number(time));
}

function later(what: string): Unknown {
  return new Unknown(`the ${what} is known after an earlier task`);
}
