import type { FileFact } from './file.ts';
import { normal } from './normal.ts';

/** Where a path below a link leads, as far as the link's text says; `rest` begins with a slash. */
export function behindLink(link: string, target: string, rest: string): string {
  const start = target.startsWith('/') ? target : `${link.slice(0, link.lastIndexOf('/'))}/${target}`;
  return normal(start + rest);
}

/** A link that a step replaces or removes. */
export interface OldLink {
  link: string;
  target: string;
}

export function oldLink(fact: FileFact | undefined): OldLink | undefined {
  if (!fact?.exists || fact.kind !== 'link' || fact.target === undefined) return undefined;
  return { link: fact.canonical, target: fact.target };
}

/**
 * What of a path lies behind the old link it was asked through, with its slash: it ends with the link's name and what
 * its real path has below the link's target. Undefined: it was not asked through that link.
 */
export function restThrough(path: string, real: string, { link, target }: OldLink): string | undefined {
  const start = behindLink(link, target, '');
  if (!real.startsWith(`${start}/`)) return undefined;
  const rest = real.slice(start.length);
  return path.endsWith(link.slice(link.lastIndexOf('/')) + rest) ? rest : undefined;
}

/** The mark (marks.ts) of all names of one file. */
export function inodeMark({ dev, inode }: { dev?: number; inode?: number }): string {
  return `i${dev}:${inode}`;
}
