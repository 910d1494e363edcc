import type { FilePut } from '../../core/effects.ts';
import type { ModuleContext, WorldView } from '../../core/module.ts';
import { quote } from '../../core/quote.ts';
import type { FileFact, PresentFile } from '../../world/file.ts';
import { modeBits, type Wanted } from './attributes.ts';
import { onOpenedWord } from './opened.ts';
import { ownership } from './owners.ts';
import { dirname, join } from './paths.ts';
import { umask } from './place.ts';

/** A file that a step makes on the host itself, with what it will be. */
export interface HostFile {
  /** Path of the temporary sibling, as it is. */
  temp: string;
  /** Shell text to run first: the temporary name in `$t`, gone when the step ends, and a private umask. */
  begin: string;
  /** Shell text that gives `$f` the owner and mode. */
  own: string;
  /** Shell text that gives the temporary file owner and mode and renames it. */
  place: string;
  effect: Pick<FilePut, 'mode' | 'owner' | 'uid' | 'group' | 'gid'>;
}

/** As `put` does (engine rule 20), for content that only the host has. */
export function hostFile(
  path: string,
  fact: FileFact,
  wanted: Wanted & { backup?: string | undefined },
  world: WorldView,
  ctx: ModuleContext,
): HostFile {
  const before: PresentFile | undefined = fact.exists && fact.kind === 'file' ? fact : undefined;
  const current = before?.mode ?? 0o666 & ~umask;
  const mode = modeBits(wanted.mode ?? current, { current, directory: false, umask });
  const { give, effect } = ownership(path, fact, wanted, world, ctx);
  const temp = join(dirname(path), `.kpush-${ctx.random(8)}.tmp`);
  return {
    temp,
    begin: `umask 077\nt=${quote(temp)}\ntrap 'rm -f "$t"' EXIT\ntrap 'exit 143' HUP INT TERM\n`,
    own: lines(ownText(mode, give)),
    place: lines(['f=$t', ...ownText(mode, give), ...placeText(path, wanted.backup)]),
    effect: { mode, ...effect },
  };
}

function ownText(mode: number, give: { owner?: string; group?: string }): string[] {
  const commands = [
    ...(give.owner === undefined ? [] : [`chown ${quote(give.owner)}`]),
    ...(give.group === undefined ? [] : [`chgrp ${quote(give.group)}`]),
    `chmod ${mode.toString(8).padStart(4, '0')}`,
  ];
  return [onOpenedWord('"$f"', commands)];
}

function placeText(path: string, backup: string | undefined): string[] {
  const target = quote(path);
  return [
    ...(backup === undefined ? [] : [`cp -pT --remove-destination ${target} ${quote(backup)}`]),
    '{ sync "$t" 2>/dev/null || sync; }',
    `mv -fT "$t" ${target}`,
    `if [ -e /sys/fs/selinux/enforce ] && command -v restorecon >/dev/null; then restorecon ${target}; fi`,
  ];
}

function lines(commands: string[]): string {
  return commands.map((command) => `${command} || exit 1\n`).join('');
}
