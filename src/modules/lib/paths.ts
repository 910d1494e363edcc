import type { FactKey } from '../../core/facts.ts';
import type { ModuleContext, WorldView } from '../../core/module.ts';
import { TaskFailure } from '../../core/result.ts';
import { expanded, expandKey, expands } from '../../world/expand.ts';

/**
 * A path parameter on the host: `~` and `$VAR` expanded there (the task's own environment first), always absolute.
 * A trailing slash stays, since it means something to copy and unarchive.
 */
export function hostPath(world: WorldView, ctx: ModuleContext, path: string): string {
  const own = withEnvironment(path, ctx);
  const full = expands(own) ? expanded(world, own) : own;
  if (full.startsWith('/')) return full;
  throw new TaskFailure(`the path '${path}' is not absolute`, {}, "paths on hosts start with '/' or '~'");
}

/** Keys of these paths, made by `keys` where a path is plain; where the host must expand it first, that question. */
export function pathKeys(ctx: ModuleContext, path: string, keys: (path: string) => FactKey[]): FactKey[] {
  const own = withEnvironment(path, ctx);
  if (expands(own)) return [expandKey(own)];
  return own.startsWith('/') ? keys(own) : [];
}

export function dirname(path: string): string {
  const at = path.replace(/\/+$/, '').lastIndexOf('/');
  return at <= 0 ? '/' : path.slice(0, at);
}

export function basename(path: string): string {
  const bare = path.replace(/\/+$/, '');
  return bare.slice(bare.lastIndexOf('/') + 1);
}

export function join(directory: string, name: string): string {
  return `${directory.replace(/\/+$/, '')}/${name}`;
}

/** The path and the directories above it that are missing, topmost first. */
export function missingPaths(path: string, missing: number): string[] {
  const names = path.split('/');
  return Array.from({ length: missing }, (_, i) => names.slice(0, names.length - missing + 1 + i).join('/'));
}

function withEnvironment(path: string, ctx: ModuleContext): string {
  return path.replace(/\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g, (written, bare, braced) => {
    const name = String(bare ?? braced);
    return Object.hasOwn(ctx.env, name) ? ctx.env[name]! : written;
  });
}
