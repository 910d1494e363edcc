import type { WorldView } from '../../core/module.ts';
import { TaskFailure } from '../../core/result.ts';
import { type FileFact, file } from '../../world/file.ts';
import { dirname, join } from './paths.ts';

/** Linux gives up after 40 links, so a longer chain is a loop. */
const maxLinks = 40;

export interface Located {
  path: string;
  fact: FileFact;
}

/** A path with the links at its end followed: where writing to it would land. */
export function followed(world: WorldView, path: string): Located {
  let at: Located = { path, fact: file(world, path) };
  for (let i = 0; at.fact.exists && at.fact.kind === 'link'; i++) {
    if (i === maxLinks) throw new TaskFailure(`${path} is a link that leads nowhere: too many levels of links`);
    const next = targetOf(at.fact.canonical, at.fact.target ?? '');
    at = { path: next, fact: file(world, next) };
  }
  return at;
}

/** A path as it is, links not followed. */
export function located(world: WorldView, path: string, follow: boolean): Located {
  return follow ? followed(world, path) : { path, fact: file(world, path) };
}

function targetOf(link: string, target: string): string {
  return target.startsWith('/') ? target : join(dirname(link), target);
}
