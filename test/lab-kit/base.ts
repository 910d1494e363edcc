import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LabError } from './errors.ts';
import { withLock } from './lock.ts';
import { type Apt, suite } from './mirror.ts';
import { basesDir } from './paths.ts';
import { must, run } from './shell.ts';

/** What hosts boot from: `plain` has no Kubernetes packages, `kube` has them installed and disabled. */
export type BaseName = 'plain' | 'kube';

/**
 * The read-only layers a host of `base` lies on, top first; a twin has Python in one more layer. Layers that are not
 * cached are built (a minute or two each, with lines to `say`); concurrent callers wait for one builder.
 */
export async function baseLayers(
  base: BaseName,
  twin: boolean,
  apt: Apt,
  say: (line: string) => void,
): Promise<string[]> {
  const layers: string[] = [];
  for (const { name, recipe } of chain(base, twin, apt))
    layers.unshift(await ensureLayer(name, recipe, layers, apt, say));
  return layers;
}

/** The names of a base's layers, bottom first, and the recipe of each. */
function chain(base: BaseName, twin: boolean, apt: Apt): { name: string; recipe: string }[] {
  const recipes = ['plain', ...(base === 'kube' ? ['kube'] : []), ...(twin ? ['twin'] : [])];
  let key = '';
  return recipes.map((recipe, n) => {
    key = hashOf(recipe, key, apt);
    return { name: `${recipes.slice(0, n + 1).join('-')}-${key}`, recipe };
  });
}

async function ensureLayer(name: string, recipe: string, lowers: string[], apt: Apt, say: (line: string) => void) {
  const folder = join(basesDir(), name);
  const layer = join(folder, 'root');
  if (existsSync(layer)) return layer;
  await withLock(
    join(basesDir(), `${name}.lock`),
    async () => {
      if (!existsSync(layer)) await build(folder, recipe, lowers, apt, say);
    },
    () => say(`waiting for another process that builds base ${name}`),
  );
  return layer;
}

/** Builds in a folder beside the final one and renames, so that a base is there whole or not at all. */
async function build(folder: string, recipe: string, lowers: string[], apt: Apt, say: (line: string) => void) {
  const start = performance.now();
  say(`building base layer ${recipe} (once; a minute or two)`);
  removeAbandoned(folder);
  const temp = mkdtempSync(`${folder}.build-`);
  prepare(temp, recipe, lowers, apt);
  if (lowers.length === 0) await bootstrap(temp, apt);
  await runRecipe(temp, recipe, lowers);
  for (const part of readdirSync(temp)) if (part !== 'root') rmSync(join(temp, part), { recursive: true, force: true });
  renameSync(temp, folder);
  say(`built base layer ${recipe} in ${Math.round((performance.now() - start) / 1000)} s`);
}

/** What a builder that was killed left; the caller holds the lock of this name, so nobody builds there now. */
function removeAbandoned(folder: string) {
  const prefix = `${folder}.build-`;
  for (const name of readdirSync(dirname(folder)))
    if (join(dirname(folder), name).startsWith(prefix))
      rmSync(join(dirname(folder), name), { recursive: true, force: true });
}

function prepare(temp: string, recipe: string, lowers: string[], apt: Apt) {
  chmodSync(temp, 0o755);
  mkdirSync(join(temp, 'root'), { mode: 0o755 });
  writeFileSync(join(temp, 'sources.list'), apt.sources);
  writeFileSync(join(temp, 'apt.conf'), apt.conf);
  writeFileSync(join(temp, 'resolv.conf'), resolvConf());
  writeFileSync(join(temp, 'recipe.sh'), readFileSync(recipeFile(`${recipe}.sh`)));
  if (lowers.length > 0) return;
  mkdirSync(join(temp, 'files/usr/local/share/ca-certificates'), { recursive: true });
  for (const { name, pem } of apt.authorities)
    writeFileSync(join(temp, 'files/usr/local/share/ca-certificates', name), pem);
  cpSync(recipeFile('files'), join(temp, 'files'), { recursive: true });
}

async function bootstrap(temp: string, apt: Apt) {
  await contained(temp, 'debootstrap', ['debootstrap', '--variant=minbase', suite, join(temp, 'root'), apt.mirror]);
  for (const file of filesBelow(join(temp, 'files'))) {
    const target = join(temp, 'root', file);
    const content = readFileSync(join(temp, 'files', file));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
    // Modes do not depend on the checkout's umask.
    chmodSync(target, content.subarray(0, 2).toString() === '#!' ? 0o755 : 0o644);
  }
}

async function runRecipe(temp: string, recipe: string, lowers: string[]) {
  await contained(temp, recipe, ['sh', join(import.meta.dirname, 'build-layer.sh'), temp, lowers.join(':')]);
}

/**
 * Runs a step of a build in mount and pid namespaces of its own. It dies with this process: otherwise a killed
 * builder's debootstrap would go on writing while the next builder clears up after it.
 */
async function contained(temp: string, step: string, command: string[]) {
  const spaces = ['unshare', '--mount', '--pid', '--fork', '--kill-child'];
  const { code, stdout, stderr } = await run('setpriv', ['--pdeathsig', 'KILL', ...spaces, ...command]);
  const log = join(dirname(temp), `${step}.log`);
  writeFileSync(log, stdout + stderr);
  if (code !== 0)
    throw new LabError(`${step} failed (exit ${code}); its log is ${log}`, (stdout + stderr).slice(-3000));
}

/** Of everything that decides what is in the layer, so that a changed recipe is another layer. */
function hashOf(recipe: string, below: string, apt: Apt): string {
  const hash = createHash('sha256').update(`${below} ${suite} ${process.arch}\n`);
  hash.update(readFileSync(recipeFile(`${recipe}.sh`)));
  if (!below) {
    hash.update(readFileSync(join(import.meta.dirname, 'build-layer.sh')));
    for (const file of filesBelow(recipeFile('files')))
      hash.update(`${file}\n`).update(readFileSync(recipeFile('files', file)));
    for (const { name, pem } of apt.authorities) hash.update(`${name}\n${pem}`);
  }
  return hash.digest('hex').slice(0, 12);
}

/** The machine's resolver as hosts can use it: a stub resolver on loopback is not reachable from them. */
export function resolvConf(): string {
  const upstream = '/run/systemd/resolve/resolv.conf';
  const text = readFileSync('/etc/resolv.conf', 'utf8');
  return /^nameserver\s+127\./m.test(text) && existsSync(upstream) ? readFileSync(upstream, 'utf8') : text;
}

/** Deletes the layers that no current recipe makes and that are not among `inUse`; returns their names. */
export async function pruneBases(inUse: string[], apt: Apt): Promise<string[]> {
  if (!existsSync(basesDir())) return [];
  const current = (['plain', 'kube'] as const).flatMap((base) =>
    [chain(base, false, apt), chain(base, true, apt)].flat(),
  );
  const kept = new Set([...current.map(({ name }) => name), ...inUse.map((layer) => basename(dirname(layer)))]);
  const stale = readdirSync(basesDir()).filter((name) => isLayer(name) && !kept.has(name));
  for (const name of stale) {
    // Under the lock nobody builds there: a folder of a build is one that was abandoned.
    const remove = () => must('rm', ['-rf', '--one-file-system', '--', join(basesDir(), name)]);
    await withLock(join(basesDir(), `${name.replace(/\.build-.*$/, '')}.lock`), remove);
  }
  return stale;
}

const isLayer = (name: string) => statSync(join(basesDir(), name)).isDirectory();

const recipeFile = (...parts: string[]) => join(import.meta.dirname, 'recipes', ...parts);

function filesBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => statSync(join(folder, name)).isFile()).sort();
}
