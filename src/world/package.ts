import { utf8 } from '../core/bytes.ts';
import type { Effect } from '../core/effects.ts';
import type { Answer, Draft, FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quoteAll } from '../core/quote.ts';
import { readKnown } from './read.ts';

/** A package as dpkg knows it. */
export interface PackageFact {
  /** dpkg, or what this host has instead: rpm, apk, pacman, none. Of these nothing more is asked. */
  manager: string;
  /** One for each architecture it is installed in, or was (config files left). Patterns: one for each match. */
  instances: PackageInstance[];
  /** Installed packages that provide this name. */
  providers: { name: string; version?: string }[];
  /** The host's own architecture. */
  native?: string;
}

export interface PackageInstance {
  name: string;
  architecture: string;
  /** `residual`: only config files are left; `broken`: unpacked or half-installed, not configured. */
  status: 'installed' | 'broken' | 'residual' | 'absent';
  /** Kept back by `apt-mark hold`. */
  held?: boolean;
  /** Undefined: known only after the installation. */
  version?: string;
}

/** A name as `apt` takes it (`curl`, `libc6:i386`, `kube*`), without a version. */
export function packageFact(world: WorldView, name: string): PackageFact {
  return readKnown<PackageFact>(world, 'package', name);
}

export function packageKey(name: string): FactKey {
  return { family: 'package', id: name };
}

/** Installed and configured, in the architecture the name means. */
export function installed(fact: PackageFact, name: string): PackageInstance[] {
  return matching(fact, name).filter((instance) => instance.status === 'installed');
}

/** The instances that a name means: `x:arch` that one, a bare name the host's own or `all`. */
export function matching(fact: PackageFact, name: string): PackageInstance[] {
  const architecture = name.split(':')[1] ?? fact.native;
  return fact.instances.filter(
    (instance) => !architecture || instance.architecture === architecture || instance.architecture === 'all',
  );
}

/** Whether a name is a shell pattern. */
export function isPattern(name: string): boolean {
  return /[*?[\]!]/.test(name);
}

export const packageFamily: FactFamily<PackageFact> = {
  name: 'package',
  guarded: true,
  library: () => functions,
  script: (keys) => `kf_packages ${quoteAll(keys.map((key) => key.id))}`,
  parse,
  absent: (fact) => fact.instances.every((instance) => instance.status !== 'installed') && fact.providers.length === 0,
  reduce,
  differs,
  proves: (effect) => (effect.type === 'package.set' ? [packageKey(effect.name)] : []),
};

/**
 * One dpkg-query of everything (9 ms), filtered by awk, since neither virtual packages nor patterns can be asked for
 * by name alike. Records: `n MANAGER`, or `d NATIVE` + a line `i NAME ARCH STATUS VERSION` for each instance and
 * `p NAME VERSION` for each provider. The two status letters are dpkg's: wanted (i, h …) and actual (i, c, n …).
 */
const functions = `kf_packages() {
  if ! command -v dpkg-query >/dev/null 2>&1; then
    kf_m=none
    for kf_t in rpm apk pacman; do ! command -v $kf_t >/dev/null 2>&1 || { kf_m=$kf_t; break; }; done
    for kf_p; do printf 'n%s' $kf_m; kp_sep; done
    return
  fi
  dpkg-query -W -f='\${Package}\\t\${Architecture}\\t\${db:Status-Abbrev}\\t\${Version}\\t\${Provides}\\n' 2>/dev/null | awk '
    function glob(p,  r, i, c) {
      r = "^"
      for (i = 1; i <= length(p); i++) {
        c = substr(p, i, 1)
        if (c == "*") r = r ".*"
        else if (c == "?") r = r "."
        else if (c == "!" && substr(p, i - 1, 1) == "[") r = r "^"
        else if (index("[]-", c)) r = r c
        else if (index("+.", c)) r = r "[" c "]"
        else r = r c
      }
      return r "$"
    }
    function add(k, text) { out[k] = out[k] "\\n" text }
    BEGIN {
      FS = "\\t"; mark = ARGV[1]; n = ARGC
      for (i = 2; i < n; i++) {
        key = ARGV[i]; sub(/:.*/, "", key)
        if (key ~ /[*?[]/) { wild[i] = glob(key); any = 1 } else names[key] = names[key] i " "
      }
      ARGC = 1
    }
    {
      if ($1 == "dpkg") native = $2
      line = "i\\t" $1 "\\t" $2 "\\t" $3 "\\t" $4
      if ($1 in names) { c = split(names[$1], to, " "); for (j = 1; j <= c; j++) add(to[j], line) }
      if (any) for (j in wild) if ($1 ~ wild[j]) add(j, line)
      if ($5 != "" && $3 ~ /^.i/) {
        c = split($5, provided, /, */)
        for (p = 1; p <= c; p++) {
          v = ""
          split(provided[p], part, " "); sub(/:.*/, "", part[1])
          if (match(provided[p], /\\(= [^)]*\\)/)) v = substr(provided[p], RSTART + 3, RLENGTH - 4)
          if (part[1] in names) { e = split(names[part[1]], to, " "); for (j = 1; j <= e; j++) add(to[j], "p\\t" $1 "\\t" v) }
        }
      }
    }
    END { for (i = 2; i < n; i++) printf "d%s%s%s", native, out[i], mark }
  ' "$kp_rs" "$@"
}`;

function parse(record: string, key: FactKey): Answer<PackageFact> {
  const [head = '', ...lines] = utf8(record).split('\n');
  if (head[0] === 'n') return known({ manager: head.slice(1), instances: [], providers: [] }, record);
  if (head[0] !== 'd') throw new Error(`unreadable answer for package ${key.id}: ${JSON.stringify(head.slice(0, 80))}`);
  const rows = lines.map((line) => line.split('\t'));
  const instances = rows.filter((row) => row[0] === 'i').map(instanceOf);
  const providers = rows.filter((row) => row[0] === 'p').map(([, name, version]) => providerOf(name!, version));
  return known({ manager: 'dpkg', native: head.slice(1), instances, providers }, record);
}

function instanceOf([, name, architecture, letters, version]: string[]): PackageInstance {
  const held = letters?.[0] === 'h';
  return {
    name: name!,
    architecture: architecture!,
    status: statusOf(letters ?? ''),
    ...(held ? { held } : {}),
    ...(version ? { version } : {}),
  };
}

function statusOf(letters: string): PackageInstance['status'] {
  if (letters[2] && letters[2] !== ' ') return 'broken';
  if (letters[1] === 'i') return 'installed';
  if (letters[1] === 'c') return 'residual';
  return letters[1] === 'n' ? 'absent' : 'broken';
}

function providerOf(name: string, version: string | undefined) {
  return version ? { name, version } : { name };
}

function reduce(effect: Effect, draft: Draft): void {
  if (effect.type !== 'package.set') return;
  const name = effect.name.split(':')[0]!;
  draft.each(
    'package',
    (id, answer, set) => {
      if (answer.state === 'known' && id.split(':')[0] === name)
        set(known(after(answer.value as PackageFact, effect), ''));
    },
    name,
  );
}

function after(fact: PackageFact, effect: Extract<Effect, { type: 'package.set' }>): PackageFact {
  const [name, written] = effect.name.split(':');
  const architecture = written ?? fact.native ?? 'all';
  const same = (one: PackageInstance) => one.architecture === architecture || (!written && one.architecture === 'all');
  const instance: PackageInstance = {
    name: name!,
    architecture: fact.instances.find(same)?.architecture ?? architecture,
    status: effect.status === 'installed' ? 'installed' : 'absent',
    ...(effect.version ? { version: effect.version } : {}),
  };
  return { ...fact, instances: [...fact.instances.filter((one) => !same(one)), instance] };
}

/** The architecture of what apt picks, and the version where none was asked for, are not predicted. */
function differs(predicted: PackageFact, actual: PackageFact): string[] {
  return predicted.instances.flatMap((wanted) => {
    const there = actual.instances.filter((one) => one.name === wanted.name && one.status === 'installed');
    if (wanted.status === 'absent')
      return there.some((one) => one.architecture === wanted.architecture) ? [`${wanted.name} is still installed`] : [];
    if (wanted.status !== 'installed') return [];
    if (there.length === 0) return actual.providers.length > 0 ? [] : [`${wanted.name} is not installed`];
    if (wanted.version && !there.some((one) => one.version === wanted.version))
      return [`${wanted.name}: expected version ${wanted.version}, is ${there.map((one) => one.version).join(', ')}`];
    return [];
  });
}

function known(value: PackageFact, raw: string): Answer<PackageFact> {
  return { state: 'known', raw, value };
}
