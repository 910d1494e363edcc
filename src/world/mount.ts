import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { readKnown } from './read.ts';

/** Every mount of the host as the kernel has them, in order: of two on one path the later one is seen. */
export interface MountFact {
  mounts: Mounted[];
}

export interface Mounted {
  path: string;
  source: string;
  fstype: string;
  options: string;
  /** Of a bind mount: what part of its file system is seen there. */
  root: string;
}

export function mounts(world: WorldView): MountFact {
  return readKnown<MountFact>(world, 'mounts', 'all');
}

export const mountsKey: FactKey = { family: 'mounts', id: 'all' };

/** What is seen on a path; undefined: nothing is mounted there. */
export function mountedOn(fact: MountFact, path: string): Mounted | undefined {
  return fact.mounts.findLast((one) => one.path === path);
}

/** Not guarded: containers and automounters come and go. */
export const mountsFamily: FactFamily<MountFact> = {
  name: 'mounts',
  guarded: false,
  script: (keys) => keys.map(() => 'cat /proc/self/mountinfo; kp_sep').join('\n'),
  parse: (record) => ({ state: 'known', raw: record, value: { mounts: utf8(record).split('\n').flatMap(mountOf) } }),
  differs: (predicted, actual) => lost(predicted, actual).map((path) => `${path} is not as expected`),
};

/** `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue` */
function mountOf(line: string): Mounted[] {
  const found = /^\d+ \d+ \S+ (\S+) (\S+) (\S+) (?:\S+ )*?- (\S+) (\S+) (\S+)$/.exec(line);
  if (!found) {
    if (line === '') return [];
    throw new Error(`unreadable mount: ${line.slice(0, 200)}`);
  }
  const [, root = '', path = '', options = '', fstype = '', source = ''] = found.map((part) =>
    unescapeOctal(part ?? ''),
  );
  return [{ path, source, fstype, options, root }];
}

/** Predictions are about single paths: what was to go or to come. */
function lost(predicted: MountFact, actual: MountFact): string[] {
  const paths = (fact: MountFact) => new Set(fact.mounts.map(({ path }) => path));
  const [wanted, there] = [paths(predicted), paths(actual)];
  return [...wanted].filter((path) => !there.has(path));
}

function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}
