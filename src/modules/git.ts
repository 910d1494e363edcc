import type { FactKey } from '../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { quoteAll } from '../core/quote.ts';
import { type Result, result, TaskFailure } from '../core/result.ts';
import type { Step, StepOutcome } from '../core/steps.ts';
import { Unknown, type Value } from '../jinja/values.ts';
import { file, fileKey } from '../world/file.ts';
import { type ToolQuery, tool, toolKey } from '../world/tool.ts';
import { defineModule } from './define.ts';
import { completeTold } from './lib/one-step.ts';
import { hostPath, pathKeys } from './lib/paths.ts';
import { keysOrNone } from './lib/source.ts';

const params = {
  repo: { type: 'str', operand: true, doc: 'URL or path of the repository', required: true, aliases: ['name'] },
  dest: { type: 'path', doc: 'Folder of the working copy', required: true },
  version: { type: 'str', operand: true, doc: 'Branch, tag or commit', default: 'HEAD' },
  clone: { type: 'bool', doc: 'Clone it where it is missing', default: true },
  update: { type: 'bool', doc: 'Fetch what is new', default: true },
  force: { type: 'bool', doc: 'Throw local changes away', default: false },
  depth: { type: 'int', doc: 'Only so many commits' },
  bare: { type: 'bool', doc: 'No working copy', default: false },
  recursive: { type: 'bool', doc: 'Submodules as well', default: true },
  single_branch: { type: 'bool', doc: 'Only one branch', default: false },
  remote: { type: 'str', operand: true, doc: 'Name of the remote', default: 'origin' },
  accept_hostkey: { type: 'bool', doc: 'Accept an unknown key of the ssh server', default: false },
  accept_newhostkey: { type: 'bool', doc: 'Accept the key of a server never seen before', default: false },
  key_file: { type: 'path', doc: 'Private key of the host for ssh' },
  ssh_opts: { type: 'str', doc: 'Options of ssh' },
  executable: { type: 'path', doc: 'git itself' },
  umask: { type: 'raw', doc: 'umask of what is written' },
} as const satisfies ParamSpecs;

type GitParams = Params<typeof params>;

export const gitModule = defineModule({
  name: 'git',
  doc: {
    summary: 'Keeps a clone of a git repository at a version',
    notes: ['The remote is asked which commit the version is, so that a plan tells whether anything is to be done.'],
    examples: '- git: {repo: https://git.example/etcd.git, dest: /opt/etcd, version: v3.5.9, depth: 1}\n',
    returns: { before: 'commit as it was', after: 'commit as it is' },
  },
  params,
  facts: (given, ctx) => keysOrNone(() => keysOf(given, ctx)),
  plan: (given, world, ctx) => planGit(given, world, ctx),
  complete: (_given, predicted, outcomes) => completed(predicted, outcomes),
});

const headMark = 'kpush-git:';

function keysOf(given: GitParams, ctx: ModuleContext): FactKey[] {
  const own = (path: string) => [
    fileKey(repository(given, path)),
    toolKey(at(given, path, 'rev-parse', 'HEAD')),
    toolKey(changes(given, path)),
  ];
  return [...pathKeys(ctx, given.dest, own), toolKey(wanted(given))];
}

function planGit(given: GitParams, world: WorldView, ctx: ModuleContext): Plan {
  const path = hostPath(world, ctx, given.dest);
  const head = tool(world, at(given, path, 'rev-parse', 'HEAD'));
  if (head.rc === 127) throw new TaskFailure('this host has no git', {}, 'install it in an earlier task');
  const before = head.rc === 0 && file(world, repository(given, path)).exists ? (head.stdout ?? '') : null;
  const after = before !== null && !given.update && isAt(given, before) ? before : commitOf(given, world);
  const values = {
    before,
    after: after ?? new Unknown(ctx.taskName),
    ...(before !== null ? { remote_url_changed: false } : {}),
  };
  if (before === null && !given.clone) return { steps: [], result: result(true, { before, after: after ?? null }) };
  if (before !== null && (before === after || !given.update)) return { steps: [], result: result(false, values) };
  const dirty = before !== null && !given.bare && tool(world, changes(given, path)).stdout !== '';
  if (dirty && !given.force)
    throw new TaskFailure(
      `Local modifications exist in the destination: ${path}`,
      { before },
      'force: true throws them away',
    );
  const step = before === null ? cloneStep(given, path, after) : updateStep(given, path, before, after);
  return { steps: [step], result: result(true, values) };
}

function isAt({ version }: GitParams, head: string): boolean {
  return version === 'HEAD' || head.startsWith(version);
}

/** The commit that the version names there; undefined: not known before it is fetched (a shortened commit). */
function commitOf(given: GitParams, world: WorldView): string | undefined {
  if (/^[0-9a-f]{40}$/.test(given.version)) return given.version;
  const { rc, stdout = '' } = tool(world, wanted(given));
  if (rc !== 0)
    throw new TaskFailure(
      `${given.repo} cannot be asked for ${given.version}`,
      { rc },
      'git ls-remote failed on the host',
    );
  const rows = stdout.split('\n').map((line) => line.split('\t'));
  const names = [
    given.version,
    `refs/tags/${given.version}^{}`,
    `refs/heads/${given.version}`,
    `refs/tags/${given.version}`,
  ];
  return names.map((name) => rows.find(([, ref]) => ref === name)?.[0]).find((commit) => commit !== undefined);
}

function cloneStep(given: GitParams, path: string, after: string | undefined): Step {
  const named = after !== undefined && given.version !== 'HEAD' && !/^[0-9a-f]{40}$/.test(given.version);
  const flags: [boolean, string[]][] = [
    [given.remote !== 'origin', ['--origin', given.remote]],
    [given.bare, ['--bare']],
    [given.depth !== undefined, ['--depth', String(given.depth)]],
    [given.recursive && !given.bare, ['--recursive']],
    [given.single_branch, ['--single-branch']],
    [named, ['--branch', given.version]],
  ];
  const clone = [
    git(given),
    'clone',
    ...flags.filter(([wanted]) => wanted).flatMap(([, words]) => words),
    given.repo,
    path,
  ];
  const checkout =
    named || given.version === 'HEAD' || given.bare
      ? []
      : [quoteAll([git(given), '-C', path, 'checkout', '--quiet', given.version])];
  return step(given, path, `clone ${given.repo} to ${path}`, [quoteAll(clone), ...checkout], null, after);
}

function updateStep(given: GitParams, path: string, before: string, after: string | undefined): Step {
  const depth = given.depth === undefined ? [] : ['--depth', String(given.depth)];
  const run = (...words: string[]) => quoteAll([git(given), '-C', path, ...words]);
  const ref = given.version === 'HEAD' ? [] : [given.version];
  const lines = [
    run('remote', 'set-url', given.remote, given.repo),
    run('fetch', '--quiet', '--tags', '--force', ...depth, given.remote, ...(after !== undefined ? ref : [])),
    ...(given.bare
      ? []
      : [
          run('checkout', '--quiet', '--force', ...(ref.length ? ref : ['HEAD'])),
          run('reset', '--quiet', '--hard', after ?? 'FETCH_HEAD'),
        ]),
    ...(given.recursive && !given.bare ? [run('submodule', 'update', '--quiet', '--init', '--recursive')] : []),
  ];
  return step(given, path, `bring ${path} to ${given.version}`, lines, before, after);
}

function step(
  given: GitParams,
  path: string,
  title: string,
  lines: string[],
  before: string | null,
  after: string | undefined,
): Step {
  const mask = given.umask === undefined ? [] : [`umask ${quoteAll([umaskText(given.umask)])}`];
  const tell = `printf '${headMark}%s\\n' "$(${quoteAll([git(given), '-C', path, 'rev-parse', 'HEAD'])})"`;
  return {
    title,
    run: {
      kind: 'sh',
      script: ['set -e', ...mask, ...sshLines(given), ...lines.map((line) => `${line} >/dev/null`), tell].join('\n'),
    },
    effects: [
      { type: 'file.unknown', path, why: title },
      { type: 'file.put', kind: given.bare ? 'file' : 'directory', path: repository(given, path) },
      {
        type: 'fact.set',
        family: 'tool',
        id: toolKey(at(given, path, 'rev-parse', 'HEAD')).id,
        value: { rc: 0, ...(after === undefined ? {} : { stdout: after }) },
      },
      { type: 'fact.set', family: 'tool', id: toolKey(changes(given, path)).id, value: { rc: 0, stdout: '' } },
    ],
    diff: [{ kind: 'fields', subject: path, fields: [{ name: 'commit', before, after: after ?? given.version }] }],
  };
}

/** A number that YAML read from 0022 is 18: umask takes octal digits. */
function umaskText(umask: unknown): string {
  return typeof umask === 'number' || typeof umask === 'bigint' ? umask.toString(8) : String(umask);
}

/** Nobody is there to answer questions about keys or passwords. */
function sshLines(given: GitParams): string[] {
  const options = ['ssh', '-o', 'BatchMode=yes', ...hostKeys(given)];
  const words = given.key_file === undefined ? options : [...options, '-i', given.key_file, '-o', 'IdentitiesOnly=yes'];
  const command = [quoteAll(words), ...(given.ssh_opts === undefined ? [] : [given.ssh_opts])].join(' ');
  return [`export GIT_TERMINAL_PROMPT=0 GIT_SSH_COMMAND=${quoteAll([command])}`];
}

function hostKeys({ accept_hostkey, accept_newhostkey }: GitParams): string[] {
  if (accept_hostkey) return ['-o', 'StrictHostKeyChecking=no'];
  return accept_newhostkey ? ['-o', 'StrictHostKeyChecking=accept-new'] : [];
}

function at(given: GitParams, path: string, ...words: string[]): ToolQuery {
  return { argv: [git(given), '-C', path, ...words] };
}

function changes(given: GitParams, path: string): ToolQuery {
  return at(given, path, 'status', '--porcelain', '--untracked-files=no');
}

function wanted(given: GitParams): ToolQuery {
  return { argv: [git(given), 'ls-remote', given.repo], env: { GIT_TERMINAL_PROMPT: '0' } };
}

/** What only the top of a working copy has: a folder in one answers `rev-parse`, too. */
function repository({ bare }: GitParams, path: string): string {
  return bare ? `${path}/HEAD` : `${path}/.git`;
}

function git({ executable }: GitParams): string {
  return executable ?? 'git';
}

function completed(predicted: Result, outcomes: readonly StepOutcome[]): Result {
  const told = completeTold(predicted, outcomes);
  const head = outcomes.flatMap(({ stdout }) => new RegExp(`^${headMark}(.*)$`, 'm').exec(stdout)?.[1] ?? [])[0];
  if (head === undefined || told.failed) return told;
  const after: [string, Value] = ['after', head];
  return { ...told, changed: head !== predicted.values.get('before'), values: new Map([...told.values, after]) };
}
