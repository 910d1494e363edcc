import type { ModuleContext, Plan, WorldView } from '../../core/module.ts';
import { quote } from '../../core/quote.ts';
import { result, TaskFailure } from '../../core/result.ts';
import type { Step } from '../../core/steps.ts';
import type { Value } from '../../jinja/values.ts';
import { content } from '../../world/content.ts';
import { file, type PresentFile } from '../../world/file.ts';
import { fileFields } from '../../world/file-fields.ts';
import { type TreeEntry, tree, treeLimit } from '../../world/tree.ts';
import { attributeSteps, type Wanted } from './attributes.ts';
import { rootOf, TreeSteps } from './copy-tree.ts';
import { followed, type Located } from './links.ts';
import { dirname, hostPath, join } from './paths.ts';
import { hostPayload } from './payload.ts';
import type { RemoteCopy } from './single.ts';

/**
 * A directory copied from one place of the host to another, file by file, by Ansible's rules: what is new or different
 * gets the mode of its source, `directory_mode` is for a missing `dest/`, and `mode` for what the result names.
 */
export function copyRemoteTree(copy: RemoteCopy, source: Located, world: WorldView, ctx: ModuleContext): Plan {
  const found = tree(world, source.path, { hashes: true });
  if (found.more)
    throw new TaskFailure(`${source.path} holds more than ${treeLimit} entries`, {}, 'copy it with command: cp -a');
  const at = placesOf(copy, world, ctx);
  const made = new TreeSteps({ ...copy, directoryMode: undefined }, world, ctx);
  makeRoots(copy, at, (source.fact as PresentFile).mode, made);
  const entries = [...found.entries].sort((a, b) => (a.path < b.path ? -1 : 1));
  const warnings = entries.flatMap((entry) => one(entry, { source: source.path, root: at.root, copy, made, world }));
  settle(at.told, wantedOf(copy, (source.fact as PresentFile).mode), made, world);
  return {
    steps: made.steps,
    result: result(made.steps.length > 0, {
      dest: told(copy, at),
      src: source.path,
      ...noSums,
      ...rootFields(at.told, made.steps, world),
    }),
    warnings,
  };
}

/** Of directories Ansible tells none. */
const noSums = { checksum: null, md5sum: null };

interface Places {
  dest: string;
  /** Where the content of the source goes. */
  root: string;
  /** What the result names, and `mode` is for: of a `dest` that is made for `d`, not `dest/d`. */
  told: string;
  there: boolean;
}

function placesOf(copy: RemoteCopy, world: WorldView, ctx: ModuleContext): Places {
  const written = hostPath(world, ctx, copy.dest);
  const [dest, root] = [written.replace(/(?<=.)\/+$/, ''), rootOf(copy, written)];
  const { fact } = followed(world, dest);
  if (!fact.exists && fact.missing > 1 && dest === written)
    throw new TaskFailure(`Destination directory ${dirname(dest)} does not exist`);
  const whole = !fact.exists && dest === written && root !== dest;
  return { dest, root, told: whole ? dest : root, there: fact.exists };
}

/** Of a folder that was there Ansible tells the path with a slash. */
function told({ src }: RemoteCopy, { dest, told, there }: Places): string {
  return there && src.endsWith('/') ? `${dest}/` : told;
}

function makeRoots(copy: RemoteCopy, { dest, root, told }: Places, mode: number | undefined, made: TreeSteps): void {
  const final = copy.mode === undefined ? undefined : wantedOf(copy, mode).mode;
  if (told !== root) made.ensure(dest, final);
  else if (dest !== root) made.ensure(dest, copy.directoryMode);
  made.ensure(root, told === root ? (final ?? mode) : undefined);
}

function wantedOf({ mode, owner, group }: RemoteCopy, source: number | undefined): Wanted {
  return { owner, group, mode: mode === 'preserve' ? source : mode };
}

/** What stood there before gets its owner and group, and what the result names its mode, too. */
function settle(path: string, wanted: Wanted, made: TreeSteps, world: WorldView): void {
  const { fact } = followed(world, path);
  if (fact.exists) made.steps.push(...attributeSteps(path, fact, wanted, world));
}

interface Copying {
  source: string;
  root: string;
  copy: RemoteCopy;
  made: TreeSteps;
  world: WorldView;
}

function one(entry: TreeEntry, { source, root, copy, made, world }: Copying): string[] {
  const [from, to] = [join(source, entry.path), join(root, entry.path)];
  if (entry.kind === 'other') return [`${from} is no regular file and was not copied`];
  if (entry.kind === 'link') return relink(from, to, made, world);
  if (entry.kind === 'directory') {
    settle(to, { owner: copy.owner, group: copy.group }, made, world);
    return made.ensure(to, entry.mode);
  }
  const { fact, path } = followed(world, to);
  const same = fact.exists && fact.kind === 'file' && content(world, path, {}).sha256 === entry.sha256;
  return made.file(to, hostPayload(from, entry.sha256!, entry.size), same ? undefined : entry.mode);
}

/** What the copied directory is, or will be when the first step makes it. */
function rootFields(root: string, steps: Step[], world: WorldView): Record<string, Value> {
  const puts = steps.flatMap(({ effects }) => effects).filter((effect) => effect.type === 'file.put');
  const mine = puts.filter(({ path }) => path === root);
  const before = followed(world, root).fact;
  const start = before.exists ? before : { exists: true as const, canonical: root };
  return fileFields(root, Object.assign({}, start, ...mine, { kind: 'directory' }));
}

/** Links are made anew, with the same text. */
function relink(from: string, to: string, made: TreeSteps, world: WorldView): string[] {
  const [link, there] = [file(world, from), file(world, to)];
  const target = link.exists ? (link.target ?? '') : '';
  if (there.exists && there.kind === 'link' && there.target === target) return [];
  if (there.exists) throw new TaskFailure(`${to} stands in the way of a link to ${target}`);
  made.steps.push({
    title: `link ${to} to ${target}`,
    run: { kind: 'sh', brief: true, script: `ln -s ${quote(target)} ${quote(to)}` },
    effects: [
      { type: 'file.put', path: to, kind: 'link', mode: 0o777, target, size: Buffer.byteLength(target), nlink: 1 },
    ],
    diff: [{ kind: 'fields', subject: to, fields: [{ name: 'target', before: null, after: target }] }],
  });
  return [];
}
