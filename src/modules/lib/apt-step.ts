import type { Effect } from '../../core/effects.ts';
import type { ModuleContext } from '../../core/module.ts';
import type { Step } from '../../core/steps.ts';
import type { Unknown } from '../../jinja/values.ts';
import { isPattern, packageKey } from '../../world/package.ts';
import type { AptParams } from './apt-params.ts';
import { aptScript, fetched } from './apt-script.ts';
import type { PackageSpec } from './package-spec.ts';

/** What is to be run and what it is known to do. */
export interface AptWork {
  /** Verb and arguments of each apt-get run. */
  runs: string[][];
  changes: PackageChange[];
  /** Specs whose version the job itself checks at the end. */
  verify: PackageSpec[];
  /** URL of a package file that is fetched first. */
  fetch?: string;
  /** Why it is open whether anything will change. */
  open: Unknown | undefined;
}

export interface PackageChange {
  name: string;
  /** Undefined: not there. */
  before: string | undefined;
  /** Undefined: known only when it is installed (or gone). */
  after: string | undefined;
  removed: boolean;
}

/** The one step of an apt task. It must not be cut: half a transaction leaves dpkg broken and its locks held. */
export function aptStep(params: AptParams, work: AptWork, update: boolean, ctx: ModuleContext): Step {
  const diff = work.changes.map(field);
  return {
    title: titleOf(work, update),
    run: { kind: 'sh', script: aptScript(jobOf(params, work, update)) },
    effects: effectsOf(work, ctx),
    onCut: 'finish',
    proof: work.changes.filter(({ name }) => !isPattern(name)).map(({ name }) => packageKey(name)),
    ...(diff.length > 0 ? { diff: [{ kind: 'fields' as const, subject: 'packages', fields: diff }] } : {}),
    ...(work.changes.length === 0 ? { always: true } : {}),
  };
}

function jobOf(params: AptParams, work: AptWork, update: boolean) {
  return {
    ...(update
      ? { update: { tries: params.update_cache_retries, maxDelay: params.update_cache_retry_max_delay } }
      : {}),
    ...(work.fetch === undefined ? {} : { fetch: work.fetch }),
    runs: work.runs.map(([verb = '', ...args]) => [...optionsOf(params, verb), verb, ...args]),
    lockTimeout: params.lock_timeout,
    tries: params.tries,
    delay: params.delay,
    verify: work.verify,
    ...(params.policy_rc_d === undefined ? {} : { policyRc: params.policy_rc_d }),
  };
}

function optionsOf(params: AptParams, verb: string): string[] {
  if (verb === 'clean' || verb === 'autoclean') return [];
  const dpkg = params.dpkg_options.split(',').filter(Boolean);
  const flags: [boolean, string][] = [
    [params.force, '--allow-downgrades'],
    [params.force, '--allow-remove-essential'],
    [params.force, '--allow-change-held-packages'],
    [params.autoremove && verb !== 'autoremove', '--auto-remove'],
    [params.fail_on_autoremove, '--no-remove'],
    [params.only_upgrade && verb === 'install', '--only-upgrade'],
    [params.allow_unauthenticated, '--allow-unauthenticated'],
    [params.allow_downgrade && !params.force, '--allow-downgrades'],
    [params.allow_change_held_packages && !params.force, '--allow-change-held-packages'],
    [params.install_recommends === true, '--install-recommends'],
    [params.install_recommends === false, '--no-install-recommends'],
  ];
  return [
    ...dpkg.flatMap((option) => ['-o', `Dpkg::Options::=--${option}`]),
    ...flags.filter(([wanted]) => wanted).map(([, flag]) => flag),
    ...(params.default_release === undefined ? [] : ['-t', params.default_release]),
  ];
}

/** Whoever installs anything may bring files, units and users along. */
function effectsOf(work: AptWork, ctx: ModuleContext): Effect[] {
  const sets = work.changes
    .filter(({ name }) => !isPattern(name))
    .map((change): Effect => {
      const version = change.after === undefined ? {} : { version: change.after };
      return { type: 'package.set', name: change.name, status: change.removed ? 'removed' : 'installed', ...version };
    });
  const opens = work.open !== undefined || work.runs.some(([verb]) => verb !== 'clean' && verb !== 'autoclean');
  return opens ? [...sets, { type: 'world.open', why: ctx.taskName }] : sets;
}

function field(change: PackageChange) {
  const after = change.removed ? null : (change.after ?? 'version known after the installation');
  return { name: change.name, before: change.before ?? null, after };
}

function titleOf(work: AptWork, update: boolean): string {
  const plain = (arg: string) => (arg === fetched ? (work.fetch ?? arg) : arg);
  const words = work.runs.map((run) =>
    run
      .filter((arg) => !arg.startsWith('-'))
      .map(plain)
      .join(' '),
  );
  return [...(update ? ['load package indexes'] : []), ...words].join(', ');
}
