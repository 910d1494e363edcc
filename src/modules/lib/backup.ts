import type { FilePut } from '../../core/effects.ts';
import type { ModuleContext, WorldView } from '../../core/module.ts';
import { content } from '../../world/content.ts';
import type { PresentFile } from '../../world/file.ts';

export interface Backup {
  path: string;
  effect: FilePut;
}

/** The copy of a file kept under Ansible's name `PATH.NUMBER.YYYY-MM-DD@HH:MM:SS~` (time in UTC). */
export function backupOf(path: string, fact: PresentFile, world: WorldView, ctx: ModuleContext): Backup {
  const number = Number.parseInt(ctx.random(2), 16);
  const [date, time] = new Date(ctx.now).toISOString().slice(0, 19).split('T');
  const copy = `${path}.${number}.${date}@${time}~`;
  const { mode, owner, group, uid, gid, size } = fact;
  const kept = content(world, path, {});
  const { sha256, text, notText } = kept;
  const known = { sha256, ...(text === undefined ? {} : { text }), ...(notText === undefined ? {} : { notText }) };
  return {
    path: copy,
    effect: { type: 'file.put', path: copy, kind: 'file', mode, owner, group, uid, gid, size, ...known },
  };
}
