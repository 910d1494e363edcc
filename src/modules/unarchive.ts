import type { FactKey } from '../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs } from '../core/params.ts';
import { result, TaskFailure } from '../core/result.ts';
import { file, fileKey } from '../world/file.ts';
import { defineModule } from './define.ts';
import { accountKeys } from './lib/account.ts';
import { ArchiveError } from './lib/archive/entry.ts';
import { type Archive, readArchive } from './lib/archive/read.ts';
import { attributeParams } from './lib/attributes.ts';
import { followed } from './lib/links.ts';
import { hostPath, pathKeys } from './lib/paths.ts';
import { keysOrNone } from './lib/source.ts';
import { completeUnarchive, hostKeys, planOnHost } from './lib/unarchive-host.ts';
import { knownKeys, planKnown } from './lib/unarchive-known.ts';
import type { UnarchiveParams } from './lib/unarchive-params.ts';
import { selected } from './lib/unarchive-select.ts';

const params = {
  src: {
    type: 'path',
    doc: 'Archive on the controller (searched in files/); with remote_src on the host, or a URL',
    required: true,
  },
  dest: { type: 'path', doc: 'Existing directory it is unpacked into', required: true },
  remote_src: { type: 'bool', doc: 'src is on the host', default: false },
  creates: { type: 'path', doc: 'When this exists, nothing is done' },
  list_files: { type: 'bool', doc: 'Return the names in the archive', default: false },
  exclude: { type: 'list', elements: 'str', operand: true, doc: 'Patterns of names to leave out', default: [] },
  include: { type: 'list', elements: 'str', operand: true, doc: 'Only these names', default: [] },
  keep_newer: { type: 'bool', doc: 'Leave files alone that are newer than those in the archive', default: false },
  extra_opts: { type: 'list', elements: 'str', doc: 'More options of tar or unzip', default: [] },
  decrypt: { type: 'bool', doc: 'Decrypt a source that is vaulted', default: true },
  validate_certs: { type: 'bool', doc: 'Check the certificate of the server of a URL', default: true },
  ...attributeParams,
} as const satisfies ParamSpecs;

export const unarchiveModule = defineModule({
  name: 'unarchive',
  doc: {
    summary: 'Unpacks an archive into a directory',
    notes: [
      'tar (plain, gzip, and what the tar of the host can read) and zip. A tar.gz or zip on the controller of at most 64 MiB and 300 entries is compared file by file, so a plan knows what changes; of others the host compares (GNU tar, unzip), and where it cannot, they are unpacked each time unless creates says when not to.',
      'mode, owner and group are given to everything in the archive.',
    ],
    examples: `- unarchive: {src: cni-plugins.tgz, dest: /opt/cni/bin, owner: root, creates: /opt/cni/bin/bridge}
`,
    returns: {
      dest: 'the directory',
      files: 'names in the archive (list_files)',
      handler: 'what kind of archive it is',
    },
  },
  params,
  rules: { exclusive: [['include', 'exclude']] },
  opaque: true,
  facts: (given, ctx) => keysOrNone(() => keysOf(given, ctx)),
  plan: (given, world, ctx) => planUnarchive(given, world, ctx),
  complete: (given, predicted, outcomes) => completeUnarchive(given, predicted, outcomes),
});

function keysOf(given: UnarchiveParams, ctx: ModuleContext): FactKey[] {
  const creates = given.creates === undefined ? [] : pathKeys(ctx, given.creates, (path) => [fileKey(path)]);
  const archive = archiveOf(given, ctx);
  const below = (dest: string) =>
    archive ? knownKeys(selected(archive, given), given, dest) : hostKeys(given, dest, ctx);
  return [
    ...creates,
    ...pathKeys(ctx, given.dest, (dest) => [fileKey(dest), ...below(dest)]),
    ...accountKeys(ctx, given),
  ];
}

function planUnarchive(given: UnarchiveParams, world: WorldView, ctx: ModuleContext): Plan {
  const made = given.creates === undefined ? undefined : hostPath(world, ctx, given.creates);
  if (made !== undefined && file(world, made).exists) return skipped(made);
  const dest = followed(world, hostPath(world, ctx, given.dest.replace(/(?<=.)\/+$/, '')));
  if (!dest.fact.exists || dest.fact.kind !== 'directory')
    throw new TaskFailure(`dest '${given.dest}' must be an existing dir`);
  const archive = archiveOf(given, ctx);
  return archive ? planKnown(archive, given, dest, world, ctx) : planOnHost(given, dest, world, ctx);
}

function skipped(path: string): Plan {
  const none = result(false, { msg: `skipped, since ${path} exists` });
  return { steps: [], result: { ...none, skipped: true } };
}

/** The archive when the controller can read it, and the options leave its entries where they are. */
function archiveOf(given: UnarchiveParams, ctx: ModuleContext): Archive | undefined {
  if (given.remote_src) return undefined;
  const source = ctx.files.find('files', given.src);
  if (source.kind === 'directory') throw new TaskFailure(`${given.src} is a directory, not an archive`);
  if (given.keep_newer || given.extra_opts.some((option) => !/^--strip-components=\d+$/.test(option))) return undefined;
  try {
    return readArchive(source);
  } catch (error) {
    if (error instanceof ArchiveError)
      throw new TaskFailure(`Failed to find handler for "${given.src}": ${error.message}`);
    throw error;
  }
}
