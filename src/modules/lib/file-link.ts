import type { ModuleContext, Plan, WorldView } from '../../core/module.ts';
import { quote } from '../../core/quote.ts';
import { result, TaskFailure } from '../../core/result.ts';
import type { Step } from '../../core/steps.ts';
import type { Value } from '../../jinja/values.ts';
import { type FileFact, file, type PresentFile } from '../../world/file.ts';
import { fileFields, stateOf } from '../../world/file-fields.ts';
import { tree } from '../../world/tree.ts';
import type { FileParams } from './file-params.ts';
import { adjusted } from './file-touch.ts';
import { followed } from './links.ts';
import { ownership } from './owners.ts';
import { dirname, hostPath, join } from './paths.ts';
import { swapIn } from './swap.ts';

/** `state: link`: a symbolic link to `src`, as written; the attributes go to what it leads to, unless follow is off. */
export function link(given: FileParams, world: WorldView, ctx: ModuleContext): Plan {
  const { path } = given;
  const fact = file(world, path);
  const src = given.src ?? (fact.exists ? fact.target : undefined);
  if (src === undefined) throw new TaskFailure('src is required for creating new symlinks', { path });
  const text = src.startsWith('~') ? hostPath(world, ctx, src) : src;
  const target = followed(world, linkSource(path, text));
  refuse(given, path, fact, target.fact, text, world);
  const steps =
    fact.exists && fact.kind === 'link' && fact.target === text ? [] : [linkStep(path, fact, text, world, ctx)];
  const after = steps.length ? madeLink(path, fact, text, world, ctx) : (fact as PresentFile);
  return finish(given, { path, text, steps, after }, target, world);
}

/** The path that the text of a link means. */
export function linkSource(path: string, src: string): string {
  return src.startsWith('/') ? src : join(dirname(path), src);
}

/** `state: hard`: another name for an existing file. */
export function hardLink(given: FileParams, world: WorldView, ctx: ModuleContext): Plan {
  const { path } = given;
  const src = hostPath(world, ctx, linkSource(path, given.src!));
  const [fact, source] = [file(world, path), followed(world, src).fact];
  if (!source.exists) throw new TaskFailure('src does not exist', { dest: path, src });
  if (source.kind === 'directory')
    throw new TaskFailure(`hard link not allowed for directory: ${src}`, { dest: path, src });
  const steps = isSameFile(fact, source) ? [] : [hardLinkStep(given, path, fact, src, source, ctx)];
  const done = adjusted(path, { ...source, canonical: fact.canonical }, given, 'preserve', world);
  steps.push(...done.steps);
  return { steps, result: result(steps.length > 0, { ...done.fields, dest: path, src, state: 'hard' }) };
}

interface Linked {
  path: string;
  text: string;
  steps: Step[];
  after: PresentFile;
}

function finish(
  given: FileParams,
  { path, text, steps, after }: Linked,
  target: { path: string; fact: FileFact },
  world: WorldView,
): Plan {
  const wanted = given.mode !== undefined || given.owner !== undefined || given.group !== undefined;
  const nowhere = given.follow && wanted && !target.fact.exists;
  const own = given.follow ? undefined : adjusted(path, after, given, 'preserve', world);
  if (own) steps.push(...own.steps);
  else if (target.fact.exists) steps.push(...adjusted(target.path, target.fact, given, 'preserve', world).steps);
  const values: Record<string, Value> = { ...(own?.fields ?? fileFields(path, after)), dest: path, src: text };
  return {
    steps,
    result: result(steps.length > 0, values),
    warnings: nowhere
      ? [`${text} does not exist, so the attributes cannot be set; follow: false gives them to the link`]
      : [],
  };
}

function refuse(
  given: FileParams,
  path: string,
  fact: FileFact,
  target: FileFact,
  text: string,
  world: WorldView,
): void {
  if (!fact.exists && fact.parent !== 'directory')
    throw new TaskFailure(`Error while linking: no directory ${dirname(path)}`, { path });
  if (!given.force && given.src !== undefined && !target.exists)
    throw new TaskFailure(
      `src file does not exist, use "force=yes" if you really want to create the link: ${linkSource(path, text)}`,
      { path, src: text },
    );
  if (!fact.exists || fact.kind === 'link') return;
  if (!given.force)
    throw new TaskFailure(`refusing to convert from ${stateOf(fact)} to symlink for ${path}`, {
      path,
      state: stateOf(fact),
    });
  if (fact.kind === 'directory' && tree(world, path).entries.length > 0)
    throw new TaskFailure(`the directory ${path} is not empty, refusing to convert it`, { path });
}

function linkStep(path: string, fact: FileFact, text: string, world: WorldView, ctx: ModuleContext): Step {
  const make = (name: string) => `ln -s ${quote(text)} ${name}`;
  const script = fact.exists ? swapIn(path, make, ctx) : make(quote(path));
  const empty = fact.exists && fact.kind === 'directory' ? `rmdir ${quote(path)} && ` : '';
  const { kind: _kind, exists: _exists, canonical: _canonical, ...fields } = madeLink(path, fact, text, world, ctx);
  return {
    title: `link ${path} to ${text}`,
    run: { kind: 'sh', brief: true, script: `${empty}${script}` },
    effects: [{ type: 'file.put', path, kind: 'link', ...fields }],
    diff: [{ kind: 'fields', subject: path, fields: linkFields(fact, text) }],
  };
}

function linkFields(fact: FileFact, text: string) {
  const before = fact.exists ? fact.kind : 'absent';
  const target = { name: 'target', before: (fact.exists && fact.target) || null, after: text };
  return before === 'link' ? [target] : [{ name: 'state', before: before as string | null, after: 'link' }, target];
}

/** Links have mode 0777 on Linux, and the length of their text as size. */
function madeLink(path: string, fact: FileFact, text: string, world: WorldView, ctx: ModuleContext): PresentFile {
  const { effect } = ownership(path, fact.exists ? { ...fact, kind: 'link' } : fact, {}, world, ctx);
  return {
    exists: true,
    canonical: fact.canonical,
    kind: 'link',
    mode: 0o777,
    target: text,
    size: Buffer.byteLength(text),
    nlink: 1,
    ...effect,
  };
}

function isSameFile(fact: FileFact, source: PresentFile): boolean {
  if (!fact.exists) return false;
  if (fact.canonical === source.canonical) return true;
  return fact.inode !== undefined && fact.inode === source.inode && fact.dev === source.dev;
}

function hardLinkStep(
  given: FileParams,
  path: string,
  fact: FileFact,
  src: string,
  source: PresentFile,
  ctx: ModuleContext,
): Step {
  if (fact.exists && (!given.force || fact.kind === 'directory'))
    throw new TaskFailure('Cannot link, file exists at destination', { dest: path, src });
  if (!fact.exists && fact.parent !== 'directory')
    throw new TaskFailure(`no directory ${dirname(path)}`, { dest: path, src });
  const make = (name: string) => `ln ${quote(src)} ${name}`;
  const { mode, uid, gid, owner, group, size, dev, inode } = source;
  const nlink = source.nlink === undefined ? undefined : source.nlink + 1;
  const same = { mode, uid, gid, owner, group, size, dev, inode, nlink };
  return {
    title: `hard link ${path} to ${src}`,
    run: { kind: 'sh', brief: true, script: fact.exists ? swapIn(path, make, ctx) : make(quote(path)) },
    effects: [
      { type: 'file.put', path, kind: 'file', ...same },
      { type: 'file.put', path: src, kind: 'file', nlink },
    ],
    diff: [
      {
        kind: 'fields',
        subject: path,
        fields: [{ name: 'state', before: stateOf(fact), after: `hard link to ${src}` }],
      },
    ],
  };
}
