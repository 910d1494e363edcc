import type { FactKey } from '../../core/facts.ts';
import type { ControllerFile, ModuleContext, Plan, WorldView } from '../../core/module.ts';
import { result, TaskFailure } from '../../core/result.ts';
import type { Step } from '../../core/steps.ts';
import { contentKey } from '../../world/content.ts';
import { type FileFact, fileKey } from '../../world/file.ts';
import { accountKeys } from './account.ts';
import { attributeSteps, type Wanted } from './attributes.ts';
import { mayShow } from './diffs.ts';
import { insideNew, makeDirectories } from './directories.ts';
import { followed, located } from './links.ts';
import { basename, dirname, hostPath, join, pathKeys } from './paths.ts';
import { filePayload, type Payload } from './payload.ts';
import { place } from './place.ts';

/** A directory of the controller copied file by file. */
export interface TreeCopy extends Wanted {
  dest: string;
  /** As written: `d` copies d itself, `d/` its content. */
  src: string;
  source: ControllerFile;
  directoryMode?: number | string | undefined;
  follow: boolean;
  force: boolean;
  backup: boolean;
  validate?: string | undefined;
  unsafeWrites?: boolean | undefined;
}

export function treeKeys(copy: TreeCopy, ctx: ModuleContext): FactKey[] {
  return [...pathKeys(ctx, copy.dest, (dest) => keysBelow(copy, rootOf(copy, dest), ctx)), ...accountKeys(ctx, copy)];
}

export function copyTree(copy: TreeCopy, world: WorldView, ctx: ModuleContext): Plan {
  const dest = hostPath(world, ctx, copy.dest);
  const root = rootOf(copy, dest);
  const made = new TreeSteps(copy, world, ctx);
  made.ensure(root);
  const plans = copy.source.walk().map(({ path, file }) => {
    const target = join(root, path);
    return file.kind === 'directory' ? made.settled(target) : made.file(target, filePayload(file), modeOf(copy, file));
  });
  const steps = [...made.steps];
  return {
    steps,
    result: result(steps.length > 0, { dest: join(dest, ''), src: copy.source.path }),
    warnings: plans.flat(),
  };
}

/** Where the tree will stand. */
export function rootOf(copy: { src: string }, dest: string): string {
  const bare = dest.replace(/(?<=.)\/+$/, '');
  return copy.src.endsWith('/') ? bare : join(bare, basename(copy.src));
}

function keysBelow(copy: TreeCopy, root: string, ctx: ModuleContext): FactKey[] {
  return [
    fileKey(root),
    ...copy.source.walk().flatMap(({ path, file }) => {
      const target = join(root, path);
      const read = file.kind !== 'directory' && copy.force;
      return [fileKey(target), ...(read ? [fileContent(copy, target, file, ctx)] : [])];
    }),
  ];
}

function fileContent(copy: TreeCopy, path: string, file: ControllerFile, ctx: ModuleContext): FactKey {
  const payload = filePayload(file);
  const fact = { exists: false, canonical: path, parent: 'directory', missing: 1 } as const;
  const shown = ctx.diff && mayShow({ path, fact, payload, mode: modeOf(copy, file) });
  return contentKey(path, { sha256: payload.sha256, ...(shown ? { text: true } : {}) });
}

function modeOf(copy: TreeCopy, file: ControllerFile): number | string | undefined {
  return copy.mode === 'preserve' ? file.mode & 0o7777 : copy.mode;
}

/** Steps in order, and which directories are there by then. */
export class TreeSteps {
  readonly steps: Step[] = [];
  private readonly made = new Map<string, Step>();

  constructor(
    private readonly copy: Omit<TreeCopy, 'source' | 'src'>,
    private readonly world: WorldView,
    private readonly ctx: ModuleContext,
  ) {}

  /** The root, when it is there, keeps its attributes; a new one get the mode, and the owner and group of the task. */
  ensure(path: string, mode: number | string | undefined = this.copy.directoryMode): string[] {
    const { fact } = followed(this.world, path);
    if (fact.exists && fact.kind !== 'directory')
      throw new TaskFailure(`cannot copy a directory onto ${path}: it is a ${fact.kind}`);
    if (fact.exists) return [];
    const { owner, group } = this.copy;
    const below = this.belowMade(path, fact);
    if (below.exists) return [];
    const step = makeDirectories(path, below, { mode, owner, group }, this.world, this.ctx);
    this.steps.push(step);
    this.made.set(path, step);
    return [];
  }

  /** A directory in the tree: one that is there gets the mode for directories, owner and group, too. */
  settled(path: string): string[] {
    const { fact } = followed(this.world, path);
    const { owner, group, directoryMode } = this.copy;
    if (fact.exists && fact.kind === 'directory')
      this.steps.push(...attributeSteps(path, fact, { owner, group, mode: directoryMode }, this.world));
    return this.ensure(path);
  }

  file(path: string, payload: Payload, mode: number | string | undefined): string[] {
    const at = located(this.world, path, this.copy.follow);
    if (!this.copy.force && at.fact.exists) return [];
    const fact = this.belowMade(at.path, at.fact);
    const placed = place({ ...this.copy, mode, path: at.path, fact, payload }, this.world, this.ctx);
    this.steps.push(...placed.steps);
    return placed.warnings;
  }

  /** The fact of a path as the steps planned here will have left it. */
  private belowMade(path: string, fact: FileFact): FileFact {
    const above = this.made.get(dirname(path));
    return !fact.exists && above ? insideNew(fact, above) : fact;
  }
}
