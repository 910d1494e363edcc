import type { FactKey } from '../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs } from '../core/params.ts';
import { TaskFailure } from '../core/result.ts';
import { fileKey } from '../world/file.ts';
import { stateOf } from '../world/file-fields.ts';
import { timesKey } from '../world/times.ts';
import { treeKey } from '../world/tree.ts';
import { defineModule } from './define.ts';
import { accountKeys } from './lib/account.ts';
import { attributeParams } from './lib/attributes.ts';
import { absent } from './lib/file-absent.ts';
import { directory, directoryKeys } from './lib/file-directory.ts';
import { hardLink, link, linkSource } from './lib/file-link.ts';
import type { FileParams } from './lib/file-params.ts';
import { existing, touch, wantedTimes } from './lib/file-touch.ts';
import { followed, located } from './lib/links.ts';
import { basename, hostPath, join, pathKeys } from './lib/paths.ts';
import { keysOrNone } from './lib/source.ts';

const params = {
  path: { type: 'path', doc: 'What it is about', required: true, aliases: ['dest', 'name'] },
  state: {
    type: 'str',
    doc: 'What shall stand there; without it, what does stand there gets the attributes',
    choices: ['absent', 'directory', 'file', 'hard', 'link', 'touch'],
  },
  src: { type: 'path', doc: 'What a link leads to' },
  recurse: { type: 'bool', doc: 'Give the attributes to all that is below the directory too', default: false },
  force: { type: 'bool', doc: 'Make links to what does not exist, and replace files by links', default: false },
  follow: { type: 'bool', doc: 'The attributes are for what a link leads to', default: true },
  modification_time: { type: 'str', doc: 'preserve, now, or a time as YYYYMMDDhhmm.SS in the time zone of the host' },
  access_time: { type: 'str', doc: 'The same for the time of the last reading' },
  ...attributeParams,
} as const satisfies ParamSpecs;

export const fileModule = defineModule({
  name: 'file',
  doc: {
    summary: 'Directories, links, attributes and removal of files',
    notes: [
      'recurse asks the host only for what deviates, and never leaves the tree: links in it are not followed.',
      'A directory that is made gets 0755 when no mode is given, whatever the umask of the host is.',
    ],
    examples: `- file: {path: /etc/kubernetes/manifests, state: directory, mode: '0755'}
- file: {path: /usr/local/bin/kubectl, src: /opt/kubernetes/kubectl, state: link}
- file: {path: /var/lib/etcd.old, state: absent}
`,
    returns: { path: 'the path (dest for links and touch)', state: 'what stands there', mode: 'four octal digits' },
  },
  params,
  facts: (given, ctx) => keysOrNone(() => fileKeys(given, ctx)),
  plan: (given, world, ctx) => planFile(given, world, ctx),
});

function fileKeys(given: FileParams, ctx: ModuleContext): FactKey[] {
  const of = (path: string): FactKey[] => {
    if (given.state === 'absent') return ctx.diff ? [fileKey(path), treeKey(path)] : [fileKey(path)];
    const times = wantedTimes(given);
    const keys = [fileKey(path), ...directoryKeys(given, path), ...sourceKeys(given, path)];
    return times ? [...keys, timesKey(path, times)] : keys;
  };
  return [...pathKeys(ctx, given.path, of), ...accountKeys(ctx, given)];
}

function sourceKeys(given: FileParams, path: string): FactKey[] {
  if (given.src === undefined || given.src.startsWith('~')) return [];
  return [fileKey(linkSource(path, given.src))];
}

function planFile(given: FileParams, world: WorldView, ctx: ModuleContext): Plan {
  const path = pathOf(given, hostPath(world, ctx, given.path), world);
  const state = given.state ?? defaultState(given, path, world);
  if (given.recurse && state !== 'directory')
    throw new TaskFailure("recurse option requires state to be 'directory'", { path });
  if (given.src !== undefined && state !== 'link' && state !== 'hard')
    throw new TaskFailure("src option requires state to be 'link' or 'hard'", { path });
  return states[state]!({ ...given, path }, world, ctx);
}

/** With src, a path that is a directory means the name of src in it (not for links). */
function pathOf(given: FileParams, written: string, world: WorldView): string {
  const path = written.replace(/(?<=.)\/+$/, '');
  if (given.src === undefined || given.state === 'link' || given.state === 'absent') return path;
  const { fact } = followed(world, path);
  return fact.exists && fact.kind === 'directory' ? join(path, basename(given.src)) : path;
}

function defaultState(given: FileParams, path: string, world: WorldView): string {
  const { fact } = located(world, path, false);
  if (fact.exists) return stateOf(fact);
  return given.recurse ? 'directory' : 'file';
}

const states: Record<string, (given: FileParams, world: WorldView, ctx: ModuleContext) => Plan> = {
  absent,
  directory,
  file: existing,
  hard: (given, world, ctx) => (given.src === undefined ? existing(given, world) : hardLink(given, world, ctx)),
  link,
  touch,
};
