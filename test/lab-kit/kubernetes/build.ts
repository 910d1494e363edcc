import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { baseLayers, resolvConf } from '../base.ts';
import { LabError } from '../errors.ts';
import { withLock } from '../lock.ts';
import { type Apt, machineApt } from '../mirror.ts';
import { cacheRoot } from '../paths.ts';
import { must } from '../shell.ts';

/** What Debian's source package is. */
export const version = 'v1.20.2';
/** The stamp of a second build of the same source: something to upgrade to. */
export const patchedVersion = 'v1.20.5';

export type Program =
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-proxy'
  | 'kube-scheduler'
  | 'kubectl'
  | 'kubelet';

/** Kubernetes as built on this machine. */
export interface KubernetesBuild {
  /** `v1.20.2/kubelet`, `v1.20.5/kubelet`, …, `v1.20.2/hyperkube` (one binary for all), `pause`, `web`. */
  dir: string;
  program(name: Program, of?: string): string;
}

/** The folder the recipe's outcome is (or would be) kept in. */
export const buildDir = () => join(cacheRoot(), 'kubernetes', recipeHash());

/**
 * Builds Kubernetes from Debian's source package unless this recipe's outcome is cached: a quarter of an hour on two
 * cores, once. Concurrent callers wait for one builder; a build that was cut off goes on where it was.
 */
export async function kubernetesBuild(say: (line: string) => void): Promise<KubernetesBuild> {
  const dir = buildDir();
  if (!existsSync(dir)) {
    const waiting = () => say('waiting for another process that builds Kubernetes');
    await withLock(`${dir}.lock`, async () => existsSync(dir) || buildInto(dir, say), waiting);
  }
  return { dir, program: (name, of = version) => join(dir, of, name) };
}

async function buildInto(dir: string, say: (line: string) => void) {
  const start = performance.now();
  say(`building Kubernetes ${version} from Debian's source package (once; about a quarter of an hour on two cores)`);
  const apt = await machineApt();
  const lowers = await baseLayers('plain', false, apt, say);
  const work = `${dir}.work`;
  prepare(work, apt);
  await runBuild(work, lowers, say);
  renameSync(join(work, 'build/out'), dir);
  await must('rm', ['-rf', '--one-file-system', '--', work]);
  say(`built Kubernetes in ${Math.round((performance.now() - start) / 1000)} s`);
}

function prepare(work: string, apt: Apt) {
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, 'sources.list'), apt.sources + apt.sources.replace(/^deb /gm, 'deb-src '));
  writeFileSync(join(work, 'apt.conf'), apt.conf);
  writeFileSync(join(work, 'resolv.conf'), resolvConf());
  writeFileSync(join(work, 'recipe.sh'), readFileSync(join(import.meta.dirname, 'recipe.sh')));
}

/** In namespaces of its own that die with this process, at the lowest priority; its lines on fd 3 are progress. */
function runBuild(work: string, lowers: string[], say: (line: string) => void): Promise<void> {
  const script = join(import.meta.dirname, 'build.sh');
  const args = ['--pdeathsig', 'KILL', 'unshare', '--mount', '--pid', '--fork', '--kill-child', 'nice', '-n', '19'];
  const log = `${work}.log`;
  const env = { ...process.env, VERSION: version, PATCHED: patchedVersion };
  const command = `exec "$@" >'${log}' 2>&1`;
  const sources = join(import.meta.dirname, 'sources');
  const child = spawn(
    'setpriv',
    [...args, 'sh', '-c', command, 'build', 'sh', script, work, lowers.join(':'), sources],
    { env, stdio: ['ignore', 'inherit', 'inherit', 'pipe'] },
  );
  createInterface({ input: child.stdio[3] as NodeJS.ReadableStream }).on('line', (line) => say(`kubernetes: ${line}`));
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new LabError(`cannot build Kubernetes: ${error.message}`)));
    child.on('close', (code, signal) =>
      code === 0
        ? resolve()
        : reject(
            new LabError(`building Kubernetes failed (${signal ?? `exit ${code}`}); its log is ${log}`, tail(log)),
          ),
    );
  });
}

const tail = (file: string) =>
  existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8').slice(-3000) : '';

function recipeHash(): string {
  const hash = createHash('sha256').update(`${version} ${patchedVersion} ${process.arch}\n`);
  for (const file of ['recipe.sh', 'sources/hyperkube.go', 'sources/pause.c', 'sources/web.c'])
    hash.update(readFileSync(join(import.meta.dirname, file)));
  return hash.digest('hex').slice(0, 12);
}
