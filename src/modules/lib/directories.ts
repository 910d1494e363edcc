import type { FilePut } from '../../core/effects.ts';
import { fourDigits, modeText } from '../../core/mode.ts';
import type { ModuleContext, WorldView } from '../../core/module.ts';
import { quote } from '../../core/quote.ts';
import { TaskFailure } from '../../core/result.ts';
import type { Step } from '../../core/steps.ts';
import type { AbsentFile } from '../../world/file.ts';
import { chmod, modeBits, type Wanted } from './attributes.ts';
import { ownership } from './owners.ts';
import { missingPaths } from './paths.ts';
import { umask } from './place.ts';

/** One step that makes a directory and those above it that are missing, each with the same attributes. */
export function makeDirectories(
  path: string,
  fact: AbsentFile,
  wanted: Wanted,
  world: WorldView,
  ctx: ModuleContext,
): Step {
  if (fact.parent === 'not-directory')
    throw new TaskFailure(`There was an issue creating ${path} as requested: a part of the path is no directory`, {
      path,
    });
  const made: ReturnType<typeof makeOne>[] = [];
  for (const each of missingPaths(path, fact.missing)) {
    const above = made.at(-1)?.effect;
    made.push(makeOne(each, above ? insideOf(fact, above) : fact, wanted, world, ctx, above));
  }
  return {
    title: `create directory ${path}`,
    run: { kind: 'sh', brief: true, script: made.map(({ script }) => script).join(' && ') },
    effects: made.map(({ effect }) => effect),
    diff: made.map(({ effect }) => ({ kind: 'fields', subject: effect.path, fields: fieldsOf(effect, wanted) })),
  };
}

/** What is below a directory that an earlier step of the same plan makes: still absent, its parent there. */
export function insideNew(fact: AbsentFile, step: Step): AbsentFile {
  const above = step.effects.at(-1) as FilePut;
  return { ...fact, parent: 'directory', missing: 1, setgid: (above.mode! & 0o2000) !== 0 };
}

/** The fact of a path whose parent an earlier command of the step makes. */
function insideOf(fact: AbsentFile, above: FilePut): AbsentFile {
  return { ...fact, parent: 'missing', missing: 1, setgid: (above.mode! & 0o2000) !== 0 };
}

/** `mkdir -m` leaves no moment at which the directory is open to more than it shall be. */
function makeOne(
  path: string,
  fact: AbsentFile,
  wanted: Wanted,
  world: WorldView,
  ctx: ModuleContext,
  above: FilePut | undefined,
) {
  const { give, effect } = ownership(path, above ? { ...fact, setgid: false } : fact, wanted, world, ctx);
  const mode = directoryMode(wanted, fact);
  const given = give.owner !== undefined || give.group !== undefined;
  const target = quote(path);
  const parts = [`mkdir -m ${given ? '0700' : fourDigits(mode & 0o777)} ${target}`];
  if (give.owner) parts.push(`chown -h ${quote(give.owner)} ${target}`);
  if (give.group) parts.push(`chgrp -h ${quote(give.group)} ${target}`);
  if (given || fact.setgid !== false || mode & 0o7000) parts.push(chmod(mode, path));
  const handedDown = above && fact.setgid && wanted.group === undefined ? { group: above.group, gid: above.gid } : {};
  const put: FilePut = { type: 'file.put', path, kind: 'directory', mode, ...effect, ...handedDown };
  return { script: parts.join(' && '), effect: put };
}

/** Without a mode, 0755 and the setgid bit of the directory above, which the kernel hands down. */
function directoryMode(wanted: Wanted, fact: AbsentFile): number {
  const current = (0o777 & ~umask) | (fact.setgid ? 0o2000 : 0);
  return wanted.mode === undefined ? current : modeBits(wanted.mode, { current, directory: true, umask });
}

function fieldsOf(effect: FilePut, wanted: Wanted) {
  const asked = [
    { name: 'state', before: 'absent', after: 'directory' },
    { name: 'mode', before: null, after: modeText(effect.mode!) },
  ];
  if (wanted.owner !== undefined) asked.push({ name: 'owner', before: null, after: wanted.owner });
  if (wanted.group !== undefined) asked.push({ name: 'group', before: null, after: wanted.group });
  return asked;
}
