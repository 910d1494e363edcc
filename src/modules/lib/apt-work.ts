import type { ModuleContext, WorldView } from '../../core/module.ts';
import { TaskFailure } from '../../core/result.ts';
import { Unknown } from '../../jinja/values.ts';
import { aptSim } from '../../world/apt-sim.ts';
import { deb } from '../../world/deb.ts';
import { installed, isPattern, matching, type PackageFact, packageFact } from '../../world/package.ts';
import { type AptParams, namesOf, upgradesAll } from './apt-params.ts';
import { fetched } from './apt-script.ts';
import type { AptWork, PackageChange } from './apt-step.ts';
import { compareDebianVersions } from './debian-version.ts';
import { aptArgument, exactVersion, meets, type PackageSpec, parseSpec } from './package-spec.ts';

/**
 * What apt-get must be run for. dpkg alone answers for names and versions; only upgrades, `latest`, patterns and
 * autoremove are simulated, and where the indexes are about to be loaded anew their outcome is open.
 */
export function aptWork(params: AptParams, world: WorldView, ctx: ModuleContext, due: boolean): AptWork {
  const work: AptWork = { runs: [], changes: [], verify: [], open: undefined };
  if (params.clean) add(work, ['clean'], []);
  if (upgradesAll(params)) simulated(work, upgradeVerb(params), world, ctx, due, params);
  if (params.deb !== undefined) debFile(work, params.deb, params, world, ctx);
  const specs = namesOf(params).map(parseSpec);
  if (specs.length > 0) named(work, specs, params, world, ctx, due);
  else if (params.autoremove && !upgradesAll(params) && params.deb === undefined)
    simulated(work, params.purge ? ['autoremove', '--purge'] : ['autoremove'], world, ctx, false, params);
  if (params.autoclean && specs.length === 0) openRun(work, ['autoclean'], ctx);
  return work;
}

/** A package file is installed unless it, or a newer version, is there. One behind a URL is known when it was fetched. */
function debFile(work: AptWork, path: string, params: AptParams, world: WorldView, ctx: ModuleContext) {
  if (isUrl(path)) {
    work.fetch = path;
    return openRun(work, ['install', fetched], ctx);
  }
  const file = deb(world, path);
  if (file.state === 'missing') throw new TaskFailure(`Unable to install package: ${path} is not there`);
  if (file.state === 'broken') throw new TaskFailure(`Unable to install package: ${path} is no Debian package`);
  const there = installed(packageFact(world, file.name), file.name).find((one) => one.version !== undefined);
  const order = there?.version === undefined ? -1 : compareDebianVersions(there.version, file.version);
  if (order === 0 || (order > 0 && !params.allow_downgrade && !params.force)) return;
  add(work, ['install', path], [{ name: file.name, before: there?.version, after: file.version, removed: false }]);
}

export function isUrl(path: string): boolean {
  return path.includes('://');
}

function named(
  work: AptWork,
  specs: PackageSpec[],
  params: AptParams,
  world: WorldView,
  ctx: ModuleContext,
  due: boolean,
) {
  if (params.state === 'absent') return removal(work, specs, params, world);
  if (params.state === 'build-dep') return openRun(work, ['build-dep', ...specs.map((spec) => spec.text)], ctx);
  const lacking = specs.filter((spec) => lacks(spec, params, world));
  if (params.state === 'latest') return latest(work, specs, lacking, params, world, ctx, due);
  if (lacking.length === 0) return undefined;
  const args = ['install', ...(params.state === 'fixed' ? ['--fix-broken'] : []), ...lacking.map(aptArgument)];
  if (lacking.every((spec) => isPattern(spec.name))) return simulated(work, args, world, ctx, due, params);
  add(
    work,
    args,
    lacking.filter((spec) => !isPattern(spec.name)).map((spec) => installation(spec, world)),
  );
  work.verify.push(...lacking);
}

/** Not installed, or in a version that is not wanted, or half installed. A name that another package provides is there. */
function lacks(spec: PackageSpec, params: AptParams, world: WorldView): boolean {
  const fact = packageFact(world, spec.name);
  const there = installed(fact, spec.name);
  if (isPattern(spec.name)) return true;
  if (there.length === 0 && params.only_upgrade) return false;
  if (there.length === 0 && spec.version === undefined && fact.providers.length > 0) return false;
  return there.length === 0 || !there.some((instance) => meets(spec, instance.version));
}

function latest(
  work: AptWork,
  specs: PackageSpec[],
  lacking: PackageSpec[],
  params: AptParams,
  world: WorldView,
  ctx: ModuleContext,
  due: boolean,
) {
  const wanted = params.only_upgrade
    ? specs.filter((spec) => installed(packageFact(world, spec.name), spec.name).length > 0)
    : specs;
  if (wanted.length === 0) return;
  const args = ['install', ...(params.only_upgrade ? ['--only-upgrade'] : []), ...wanted.map(aptArgument)];
  if (lacking.length > 0) {
    add(
      work,
      args,
      lacking.filter((spec) => !isPattern(spec.name)).map((spec) => installation(spec, world)),
    );
    work.verify.push(...lacking);
  } else simulated(work, args, world, ctx, due, params);
}

function removal(work: AptWork, specs: PackageSpec[], params: AptParams, world: WorldView) {
  const doomed = specs.flatMap((spec) => {
    const fact = packageFact(world, spec.name);
    return matching(fact, spec.name)
      .filter(
        (one) => one.status === 'installed' || one.status === 'broken' || (params.purge && one.status === 'residual'),
      )
      .filter((one) => meets(spec, one.version))
      .map((one) => ({ spec, name: argumentOf(one.name, one.architecture, spec, fact), version: one.version }));
  });
  if (doomed.length === 0) return;
  const changes = doomed.map(
    ({ name, version }): PackageChange => ({ name, before: version ?? 'installed', after: undefined, removed: true }),
  );
  add(work, ['remove', ...(params.purge ? ['--purge'] : []), ...doomed.map(({ name }) => name)], changes);
}

/** A foreign architecture must be named. */
function argumentOf(name: string, architecture: string, spec: PackageSpec, fact: PackageFact): string {
  return spec.name.includes(':') || (architecture !== 'all' && architecture !== fact.native)
    ? `${name}:${architecture}`
    : name;
}

function installation(spec: PackageSpec, world: WorldView): PackageChange {
  const before = installed(packageFact(world, spec.name), spec.name)[0]?.version;
  const version = exactVersion(spec);
  return { name: spec.name, before, after: version, removed: false };
}

/** By simulation; not where the indexes change first, for then nobody knows yet. */
function simulated(
  work: AptWork,
  args: string[],
  world: WorldView,
  ctx: ModuleContext,
  due: boolean,
  params: AptParams,
) {
  if (due) return openRun(work, args, ctx);
  const release = params.default_release === undefined ? [] : ['-t', params.default_release];
  const found = aptSim(world, [...release, ...args]);
  if (found.errors.length > 0) return openRun(work, args, ctx);
  const changes: PackageChange[] = [
    ...found.install.map(({ name, from, to }) => ({ name, before: from, after: to, removed: false })),
    ...found.remove.map((name) => ({ name, before: 'installed', after: undefined, removed: true })),
  ];
  if (changes.length > 0) add(work, args, changes);
}

/** What it does is known only when it ran. */
function openRun(work: AptWork, args: string[], ctx: ModuleContext) {
  work.runs.push(args);
  work.open = new Unknown(ctx.taskName);
}

function add(work: AptWork, args: string[], changes: PackageChange[]) {
  work.runs.push(args);
  work.changes.push(...changes);
}

function upgradeVerb(params: AptParams): string[] {
  return params.upgrade === 'dist' || params.upgrade === 'full' ? ['dist-upgrade'] : ['upgrade', '--with-new-pkgs'];
}
