import type { ModuleContext, Plan, WorldView } from '../../core/module.ts';
import { quote } from '../../core/quote.ts';
import { result, TaskFailure } from '../../core/result.ts';
import type { Step } from '../../core/steps.ts';
import type { Value } from '../../jinja/values.ts';
import { file } from '../../world/file.ts';
import { type TreeEntry, tree, treeLimit } from '../../world/tree.ts';
import { rootOf, TreeSteps } from './copy-tree.ts';
import { followed } from './links.ts';
import { hostPath, join } from './paths.ts';
import { hostPayload } from './payload.ts';
import { fileFields } from './results.ts';
import type { RemoteCopy } from './single.ts';

/** A directory copied from one place of the host to another, file by file. */
export function copyRemoteTree(copy: RemoteCopy, source: string, world: WorldView, ctx: ModuleContext): Plan {
  const found = tree(world, source, { hashes: true });
  if (found.more)
    throw new TaskFailure(`${source} holds more than ${treeLimit} entries`, {}, 'copy it with command: cp -a');
  const dest = hostPath(world, ctx, copy.dest);
  const root = rootOf(copy, dest);
  const made = new TreeSteps(copy, world, ctx);
  made.ensure(root);
  const entries = [...found.entries].sort((a, b) => (a.path < b.path ? -1 : 1));
  const warnings = entries.flatMap((entry) => one(entry, source, root, copy, made, world));
  const steps = [...made.steps];
  return {
    steps,
    result: result(steps.length > 0, { dest: root, src: source, ...noSums, ...rootFields(root, steps, world) }),
    warnings,
  };
}

/** Of directories Ansible tells none. */
const noSums = { checksum: null, md5sum: null };

function one(
  entry: TreeEntry,
  source: string,
  root: string,
  copy: RemoteCopy,
  made: TreeSteps,
  world: WorldView,
): string[] {
  const [from, to] = [join(source, entry.path), join(root, entry.path)];
  if (entry.kind === 'directory') return made.ensure(to, entry.mode);
  if (entry.kind === 'other') return [`${from} is no regular file and was not copied`];
  if (entry.kind === 'link') return relink(from, to, made, world);
  const mode = copy.mode === 'preserve' ? entry.mode : copy.mode;
  return made.file(to, hostPayload(from, entry.sha256!, entry.size), mode);
}

/** What the copied directory is, or will be when the first step makes it. */
function rootFields(root: string, steps: Step[], world: WorldView): Record<string, Value> {
  const made = steps
    .flatMap((step) => step.effects)
    .find((effect) => effect.type === 'file.put' && effect.path === root);
  if (made?.type !== 'file.put') return fileFields(root, followed(world, root).fact);
  return fileFields(root, { exists: true, canonical: root, ...made, kind: 'directory' });
}

/** Links are made anew, with the same text. */
function relink(from: string, to: string, made: TreeSteps, world: WorldView): string[] {
  const [link, there] = [file(world, from), file(world, to)];
  const target = link.exists ? (link.target ?? '') : '';
  if (there.exists && there.kind === 'link' && there.target === target) return [];
  if (there.exists) throw new TaskFailure(`${to} stands in the way of a link to ${target}`);
  made.steps.push({
    title: `link ${to} to ${target}`,
    run: { kind: 'sh', script: `ln -s ${quote(target)} ${quote(to)}` },
    effects: [
      { type: 'file.put', path: to, kind: 'link', mode: 0o777, target, size: Buffer.byteLength(target), nlink: 1 },
    ],
    diff: [{ kind: 'fields', subject: to, fields: [{ name: 'target', before: null, after: target }] }],
  });
  return [];
}
