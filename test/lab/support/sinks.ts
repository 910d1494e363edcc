import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Lab } from '../../lab-kit/index.ts';
import { hostRoot } from './host-root.ts';

/** Where a canary was seen, and which. */
export type Sighting = `${string}: ${string}`;

export function inText(where: string, text: string, canaries: Readonly<Record<string, string>>): Sighting[] {
  return Object.entries(canaries).flatMap(([name, canary]): Sighting[] =>
    forms(canary).some((form) => text.includes(form)) ? [`${where}: ${name}`] : [],
  );
}

/** Every file below a folder; `allowed` are paths (from that folder) whose purpose is to hold what they hold. */
export function inFiles(root: string, canaries: Readonly<Record<string, string>>, allowed: readonly RegExp[] = []) {
  const words = Object.values(canaries).flatMap((canary) => forms(canary).flatMap((form) => ['-e', form]));
  const skip = ['proc', 'sys', 'dev', 'usr/bin', 'usr/lib', 'usr/share'].flatMap((dir) => [
    '-path',
    `${root}/${dir}`,
    '-prune',
    '-o',
  ]);
  const find = ['-H', root, ...skip, '-type', 'f', '-size', '-20M', '-exec', 'grep', '-laF', ...words, '{}', '+'];
  const { stdout } = spawnSync('find', find, { encoding: 'utf8', maxBuffer: 1 << 26 });
  return stdout
    .split('\n')
    .map((line) => line.slice(root.length + 1))
    .filter((path) => path !== '' && !allowed.some((one) => one.test(path)))
    .flatMap((path) => inText(path, read(`${root}/${path}`), canaries));
}

/** Looks at arguments and environments of all processes, here and in a host, until told to stop. */
export function watchProcesses(lab: Lab, host: string, canaries: Readonly<Record<string, string>>, own: number) {
  const seen = new Set<Sighting>();
  let looks = 0;
  const look = () => {
    looks++;
    for (const found of inProcesses('/proc', 'here', canaries, own)) seen.add(found);
    for (const found of inProcesses(`${hostRoot(lab, host)}/proc`, host, canaries)) seen.add(found);
  };
  const timer = setInterval(look, 15);
  return {
    end() {
      clearInterval(timer);
      return { seen: [...seen], looks };
    },
  };
}

function inProcesses(proc: string, where: string, canaries: Readonly<Record<string, string>>, except?: number) {
  const pids = existsSync(proc) ? readdirSync(proc).filter((name) => /^\d+$/.test(name)) : [];
  return pids.flatMap((pid) =>
    Number(pid) === except
      ? []
      : ['cmdline', 'environ'].flatMap((file) => inText(`${where} ${file}`, read(`${proc}/${pid}/${file}`), canaries)),
  );
}

/** A process may end while it is read. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** A text may be hidden from the eye, not from a search: as base64 at any offset, as hex, in a URL. */
function forms(text: string): string[] {
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.from(' '.repeat(offset) + text)
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4),
  );
  return [text, ...base64, Buffer.from(text).toString('hex'), encodeURIComponent(text)];
}
