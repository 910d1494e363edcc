import type { FactKey } from '../../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../../core/module.ts';
import type { ParamSpecs, Params } from '../../core/params.ts';
import { type Result, result, TaskFailure } from '../../core/result.ts';
import type { Step, StepOutcome } from '../../core/steps.ts';
import { Unknown } from '../../jinja/values.ts';
import { type ToolQuery, tool, toolKey } from '../../world/tool.ts';
import { which, whichKey } from '../../world/which.ts';
import { completeTold, oneStep } from './one-step.ts';
import { linesOf } from './ran.ts';

export const rpmParams = {
  name: {
    type: 'list',
    elements: 'str',
    operand: true,
    doc: 'Packages, with a version or without, files, @groups',
    aliases: ['pkg'],
  },
  state: {
    type: 'str',
    doc: 'What shall be true of them',
    choices: ['present', 'installed', 'latest', 'absent', 'removed'],
    default: 'present',
  },
  list: { type: 'str', doc: 'Not supported; package_facts tells what is installed' },
  enablerepo: { type: 'list', elements: 'str', doc: 'Repositories to use besides', default: [] },
  disablerepo: { type: 'list', elements: 'str', doc: 'Repositories to leave out', default: [] },
  exclude: { type: 'list', elements: 'str', doc: 'Packages to leave as they are', default: [] },
  disable_gpg_check: { type: 'bool', doc: 'Do not check signatures', default: false },
  disable_excludes: { type: 'str', doc: 'Ignore excludes of the configuration: all, main or a repository' },
  update_cache: { type: 'bool', doc: 'Load the metadata first', default: false, aliases: ['expire-cache'] },
  update_only: { type: 'bool', doc: 'With latest: only what is installed', default: false },
  autoremove: { type: 'bool', doc: 'Remove what is no longer needed', default: false },
  allow_downgrade: { type: 'bool', doc: 'An older version may take the place of a newer one', default: false },
  allowerasing: { type: 'bool', doc: 'Conflicting packages may be removed', default: false },
  nobest: { type: 'bool', doc: 'Not the best version, where that is not possible', default: false },
  install_weak_deps: { type: 'bool', doc: 'Install recommended packages', default: true },
  security: { type: 'bool', doc: 'With latest: only security updates', default: false },
  bugfix: { type: 'bool', doc: 'With latest: only bug fixes', default: false },
  skip_broken: { type: 'bool', doc: 'Leave out what cannot be installed', default: false },
  installroot: { type: 'path', doc: 'Root of the system', default: '/' },
  releasever: { type: 'str', doc: 'Release' },
  conf_file: { type: 'path', doc: 'Configuration' },
  validate_certs: { type: 'bool', doc: 'Accepted; the configuration of the repository says it', default: true },
  sslverify: { type: 'bool', doc: 'Accepted; the configuration of the repository says it', default: true },
  lock_timeout: { type: 'int', doc: 'Accepted; dnf waits for its lock', default: 30 },
  download_only: { type: 'bool', doc: 'Only download', default: false },
  install_repoquery: { type: 'bool', doc: 'Accepted; not needed', default: true },
  use_backend: { type: 'str', doc: 'Accepted; the host decides', default: 'auto' },
} as const satisfies ParamSpecs;

export type RpmParams = Params<typeof rpmParams>;

export function rpmKeys(given: RpmParams): FactKey[] {
  const latest = given.state === 'latest' ? namesOf(given).map((name) => toolKey(updates(name))) : [];
  return [whichKey('dnf'), whichKey('yum'), ...namesOf(given).map((name) => toolKey(installed(name))), ...latest];
}

/** Nothing where rpm knows all of it, else one run of dnf (or yum) for what is missing. */
export function planRpm(given: RpmParams, world: WorldView, ctx: ModuleContext): Plan {
  if (given.list !== undefined)
    throw new TaskFailure('list is not supported', {}, 'package_facts tells what is installed');
  const program = ['dnf', 'yum'].find((name) => which(world, name));
  if (program === undefined) throw new TaskFailure('this host has neither dnf nor yum');
  const names = namesOf(given);
  const todo = names.filter((name) => isDue(name, given, world));
  const everything = (given.name ?? []).includes('*') && given.state === 'latest';
  if (todo.length === 0 && !everything && !given.autoremove) return nothing();
  const open = everything || given.autoremove || todo.some(isOpen);
  const step = transaction(program, given, everything ? ['*'] : todo);
  const changed = open ? new Unknown(ctx.taskName) : true;
  return { steps: [open ? { ...step, always: true } : step], result: result(changed, { msg: '', rc: 0, results: [] }) };
}

/** What dnf says at its end tells what an upgrade did. */
export function completeRpm(predicted: Result, outcomes: readonly StepOutcome[]): Result {
  const told = completeTold(predicted, outcomes);
  const [outcome] = outcomes;
  if (outcome?.status !== 'ok') return told;
  const idle = /nothing to do\.?\s*$/im.test(outcome.stdout);
  const changed = predicted.changed instanceof Unknown ? !idle : predicted.changed;
  return { ...told, changed, values: new Map([...told.values, ['results', linesOf(outcome.stdout)]]) };
}

function isDue(name: string, given: RpmParams, world: WorldView): boolean {
  if (isOpen(name)) return true;
  const there = tool(world, installed(name)).rc === 0;
  if (given.state === 'absent' || given.state === 'removed') return there;
  if (!there) return !(given.state === 'latest' && given.update_only);
  return given.state === 'latest' && tool(world, updates(name)).rc === 100;
}

/** Groups and files: what they hold only dnf can tell. */
function isOpen(name: string): boolean {
  return name.startsWith('@') || name.includes('://') || name.endsWith('.rpm');
}

function transaction(program: string, given: RpmParams, names: string[]): Step {
  const removes = given.state === 'absent' || given.state === 'removed';
  const verb = removes ? 'remove' : names[0] === '*' ? 'upgrade' : 'install';
  const words = names[0] === '*' ? [] : names;
  const runs = given.autoremove && names.length === 0 ? ['autoremove'] : [verb, ...words];
  const rc = removes ? 1 : 0;
  const step = oneStep({
    title: `${program} ${runs.join(' ')}`,
    argv: [program, '-y', ...options(given), ...runs],
    ...{
      subject: 'packages',
      field: words.join(' ') || runs[0]!,
      before: removes ? 'installed' : null,
      after: removes ? null : 'installed',
    },
    answers: words.filter((name) => !isOpen(name)).map((name) => [installed(name), { rc }] as const),
    effects: [{ type: 'world.open', why: `${program} changed packages` }],
  });
  return { ...step, onCut: 'finish' };
}

function options(given: RpmParams): string[] {
  const flags: [boolean, string][] = [
    [given.update_cache, '--refresh'],
    [given.disable_gpg_check, '--nogpgcheck'],
    [given.allowerasing, '--allowerasing'],
    [given.nobest, '--nobest'],
    [given.skip_broken, '--skip-broken'],
    [given.download_only, '--downloadonly'],
    [given.security, '--security'],
    [given.bugfix, '--bugfix'],
    [!given.install_weak_deps, '--setopt=install_weak_deps=False'],
  ];
  return [
    ...flags.filter(([wanted]) => wanted).map(([, flag]) => flag),
    ...given.disablerepo.map((name) => `--disablerepo=${name}`),
    ...given.enablerepo.map((name) => `--enablerepo=${name}`),
    ...given.exclude.map((name) => `--exclude=${name}`),
    ...(given.disable_excludes === undefined ? [] : [`--disableexcludes=${given.disable_excludes}`]),
    ...(given.installroot === '/' ? [] : [`--installroot=${given.installroot}`]),
    ...(given.releasever === undefined ? [] : [`--releasever=${given.releasever}`]),
    ...(given.conf_file === undefined ? [] : [`--config=${given.conf_file}`]),
  ];
}

function nothing(): Plan {
  return { steps: [], result: result(false, { msg: 'Nothing to do', rc: 0, results: [] }) };
}

function namesOf({ name }: RpmParams): string[] {
  return (name ?? []).map((one) => one.trim()).filter((one) => one !== '' && one !== '*');
}

/** By name, by what a package provides, or by the path of a file in one. */
function installed(name: string): ToolQuery {
  const plain = name.replace(/\s*[<>=]+.*$/, '');
  return { argv: ['sh', '-c', 'rpm -q -- "$1" || rpm -q --whatprovides -- "$1"', 'sh', plain] };
}

/** 100: there is something newer. */
function updates(name: string): ToolQuery {
  const script =
    'if command -v dnf >/dev/null; then exec dnf -q check-update "$1"; else exec yum -q check-update "$1"; fi';
  return { argv: ['sh', '-c', script, 'sh', name] };
}
