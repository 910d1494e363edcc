import type { Effect, FilePut } from '../core/effects.ts';
import type { Answer, Draft, Visit } from '../core/facts.ts';
import type { AbsentFile, FileFact, PresentFile } from './file.ts';
import { behindLink, inodeMark, oldLink, restThrough } from './link-effects.ts';
import { renamedBy, staleName } from './owner-effects.ts';

/** Folds what a step does to the file tree into every answer about it, by real path, whatever it was asked as. */
export function reduce(effect: Effect, draft: Draft): void {
  if (effect.type === 'file.put') put(effect, draft);
  else if (effect.type === 'file.remove') remove(canonicalOf(effect.path, draft), draft);
  else if (effect.type === 'file.unknown') doubt(canonicalOf(effect.path, draft), effect.why, draft);
  else rename(effect, draft);
}

function rename(effect: Effect, draft: Draft) {
  const name = staleName(effect);
  if (name === undefined) return;
  const visit = ofFile((fact, _set, keep) => {
    const names = fact.exists ? renamedBy(effect, fact) : undefined;
    if (names) keep(known({ ...(fact as PresentFile), ...names }));
  });
  if (name === 'root') draft.each('file', visit);
  else draft.marked(`n${name}`, visit);
}

/** Fields that were predicted and are not so. */
export function differs(predicted: FileFact, actual: FileFact): string[] {
  if (predicted.exists !== actual.exists) return [`expected ${exists(predicted)}, is ${exists(actual)}`];
  if (!predicted.exists || !actual.exists) return [];
  return (actual.kind === 'directory' ? attributes : compared)
    .filter((field) => predicted[field] !== undefined && predicted[field] !== actual[field])
    .filter((field) => !isSameNumber(field, predicted, actual))
    .map((field) => `${field}: expected ${show(field, predicted)}, is ${show(field, actual)}`);
}

const attributes = ['kind', 'mode', 'uid', 'gid', 'owner', 'group'] as const;

/**
 * The number says whose a file is. Its name may be another's with the same number, or none: stat says UNKNOWN where the
 * account may not read /etc/passwd, and of such a number `id` gives no name either.
 */
function isSameNumber(field: keyof PresentFile, predicted: PresentFile, actual: PresentFile): boolean {
  const number = field === 'owner' ? 'uid' : field === 'group' ? 'gid' : undefined;
  return number !== undefined && predicted[number] !== undefined && predicted[number] === actual[number];
}

/** Size and links of a directory follow what is made in it. */
const compared = [...attributes, 'size', 'target', 'nlink', 'inode'] as const;

function exists(fact: FileFact): string {
  return fact.exists ? `a ${fact.kind}` : 'absent';
}

function show(field: keyof PresentFile, fact: PresentFile): string {
  const value = fact[field];
  return field === 'mode' ? `0${(value as number).toString(8)}` : String(value);
}

/** The real path behind a path as a module wrote it: as answered, or below what was answered above it. */
export function canonicalOf(path: string, draft: Draft): string {
  const fact = factOf(draft.get('file', path));
  if (fact) return fact.canonical;
  const asked = realAbove(path, draft);
  if (asked !== undefined) return asked;
  const cut = path.lastIndexOf('/');
  return cut > 0 ? realDirectory(path.slice(0, cut), draft, 40) + path.slice(cut) : path;
}

/** The real path of a directory that is missing above a path that was asked: the names below the last real one stay. */
function realAbove(path: string, draft: Draft): string | undefined {
  let found: string | undefined;
  draft.marked(`g${path}`, (id, answer) => {
    const fact = id.startsWith(`${path}/`) ? factOf(answer) : undefined;
    if (!fact || fact.exists || depth(id, path) >= fact.missing) return;
    found = fact.canonical.slice(0, path.length - id.length);
  });
  return found;
}

function realDirectory(path: string, draft: Draft, links: number): string {
  const fact = factOf(draft.get('file', path));
  if (!fact?.exists || fact.kind !== 'link' || fact.target === undefined) return canonicalOf(path, draft);
  return links > 0 ? realDirectory(behindLink(fact.canonical, fact.target, ''), draft, links - 1) : path;
}

function put(effect: FilePut, draft: Draft) {
  const real = canonicalOf(effect.path, draft);
  const shared = rewrites(effect) ? undefined : inodeOf(effect.path, draft);
  const old = rewrites(effect) ? oldLink(factAt(real, draft)) : undefined;
  if (draft.get('file', effect.path)?.state !== 'known') draft.set('file', effect.path, known(fresh(real, effect)));
  const visit = ofFile((fact, set, keep, id) => {
    const rest = old && restThrough(id, fact.canonical, old);
    if (rest !== undefined) set(doubtBelow(effect, real, rest));
    else if (fact.canonical === real) set(known(merged(fact, effect, real)));
    else if (shared && fact.exists && fact.inode === shared.inode && fact.dev === shared.dev)
      set(known(merged(fact, effect, fact.canonical)));
    else if (below(fact.canonical, real)) under(fact, effect, real, keep);
    else if (!fact.exists && fact.behind?.target === real && effect.kind === 'directory')
      set({ state: 'unknown', why: `${effect.path} changed`, at: fact.behind.path });
  });
  draft.near('file', real, visit);
  if (old) draft.near('file', behindLink(old.link, old.target, ''), visit);
  if (shared) draft.marked(inodeMark(shared), visit);
  if (effect.kind === 'directory') draft.marked(`b${real}`, visit);
}

/** Attributes belong to the inode: all names of a file have them. */
function inodeOf(path: string, draft: Draft): { dev: number; inode: number } | undefined {
  const fact = factOf(draft.get('file', path));
  if (!fact?.exists || fact.inode === undefined || fact.dev === undefined || (fact.nlink ?? 1) < 2) return undefined;
  return { dev: fact.dev, inode: fact.inode };
}

function fresh(canonical: string, effect: FilePut): PresentFile {
  return { exists: true, canonical, kind: kindOf(effect), ...fields(effect) };
}

/** A directory keeps what the effect does not name; anything else put there is a new file. */
function merged(fact: FileFact, effect: FilePut, canonical: string): PresentFile {
  const kept = fact.exists && fact.kind === kindOf(effect) && !rewrites(effect) ? stable(fact) : {};
  return { ...fresh(canonical, effect), ...kept, ...fields(effect), ...renamed(effect) };
}

/** A new name makes an old number doubtful, and the other way round. */
function renamed(effect: FilePut): Partial<PresentFile> {
  return {
    ...((effect.owner ?? effect.uid) === undefined ? {} : { owner: effect.owner, uid: effect.uid }),
    ...((effect.group ?? effect.gid) === undefined ? {} : { group: effect.group, gid: effect.gid }),
  };
}

/** New content means a new inode (rename), new size and new times. */
function rewrites(effect: FilePut): boolean {
  return effect.sha256 !== undefined || effect.text !== undefined || effect.target !== undefined;
}

function stable(fact: PresentFile): Partial<PresentFile> {
  const { mode, uid, gid, owner, group, size, nlink, target, dev, inode } = fact;
  return defined({ mode, uid, gid, owner, group, size, nlink, target, dev, inode });
}

function fields(effect: FilePut): Partial<PresentFile> {
  const { mode, uid, gid, owner, group, size, target, nlink, dev, inode } = effect;
  return defined({ mode, uid, gid, owner, group, size, target, nlink, dev, inode });
}

function under(fact: FileFact, effect: FilePut, real: string, set: (answer: Answer) => void) {
  if (effect.kind === 'link' || effect.kind === 'other')
    set(doubtBelow(effect, real, fact.canonical.slice(real.length)));
  else if (!fact.exists) set(known({ ...fact, ...ancestryAfter(fact, effect, real) }));
}

/** What is below something that is no directory: a link leads elsewhere. */
function doubtBelow(effect: FilePut, real: string, rest: string): Answer {
  const why = `${effect.path} changed`;
  if (effect.kind !== 'link' || effect.target === undefined) return { state: 'unknown', why };
  return { state: 'unknown', why, at: behindLink(real, effect.target, rest) };
}

type Ancestry = Pick<AbsentFile, 'parent' | 'missing' | 'setgid'>;

/** What a path still lacks when `real`, above it, is put there. */
function ancestryAfter(fact: AbsentFile, effect: FilePut, real: string): Ancestry {
  const missing = depth(fact.canonical, real);
  if (missing > fact.missing) return fact;
  const same = missing === fact.missing ? fact.setgid : undefined;
  const setgid = effect.mode === undefined ? same : (effect.mode & 0o2000) !== 0;
  if (effect.kind === 'file') return { parent: 'not-directory', missing, setgid: false };
  return { parent: missing > 1 ? 'missing' : 'directory', missing, setgid };
}

function depth(path: string, above: string): number {
  return path.slice(above === '/' ? 1 : above.length + 1).split('/').length;
}

function remove(real: string, draft: Draft) {
  const gone = ancestryOf(real, draft);
  const old = oldLink(factAt(real, draft));
  const visit = ofFile((fact, set, _keep, id) => {
    const rest = old && restThrough(id, fact.canonical, old);
    const canonical = rest === undefined ? fact.canonical : real + rest;
    if (canonical === real) set(known({ exists: false, canonical, ...gone }));
    else if (below(canonical, real)) {
      const missing = gone.missing + depth(canonical, real);
      set(
        known({
          exists: false,
          canonical,
          parent: 'missing',
          missing,
          setgid: gone.setgid,
        }),
      );
    }
  });
  draft.near('file', real, visit);
  if (old) draft.near('file', behindLink(old.link, old.target, ''), visit);
}

function factAt(real: string, draft: Draft): FileFact | undefined {
  let found: FileFact | undefined;
  draft.near(
    'file',
    real,
    ofFile((fact) => {
      if (fact.canonical === real) found = fact;
    }),
  );
  return found;
}

/** Where a removed path stands: what exists has a parent, what is absent already keeps what was known of it. */
function ancestryOf(real: string, draft: Draft): Ancestry {
  const fact = factAt(real, draft);
  const { parent, missing, setgid }: Ancestry = fact?.exists === false ? fact : { parent: 'directory', missing: 1 };
  return { parent, missing, setgid: setgid ?? setgidOf(real.slice(0, real.lastIndexOf('/')) || '/', draft) };
}

function setgidOf(directory: string, draft: Draft): boolean | undefined {
  const answer = draft.get('file', directory);
  const fact = answer?.state === 'known' ? (answer.value as FileFact) : undefined;
  return fact?.exists && fact.mode !== undefined ? (fact.mode & 0o2000) !== 0 : undefined;
}

function doubt(real: string, why: string, draft: Draft) {
  draft.near(
    'file',
    real,
    ofFile((fact, set) => {
      if (fact.canonical === real || below(fact.canonical, real)) set({ state: 'unknown', why });
    }),
  );
}

/** `keep` replaces what is known and leaves a doubt about it as it is. */
type FileVisit = (fact: FileFact, set: (answer: Answer) => void, keep: (answer: Answer) => void, id: string) => void;

function ofFile(visit: FileVisit): Visit {
  return (id, answer, set) => {
    const fact = factOf(answer);
    if (fact) visit(fact, set, answer.state === 'unknown' ? (was) => set({ ...answer, was }) : set, id);
  };
}

/** What a path is, or is unless something doubtful comes true. */
export function factOf(answer: Answer | undefined): FileFact | undefined {
  if (answer?.state === 'known') return answer.value as FileFact;
  return answer?.state === 'unknown' ? factOf(answer.was) : undefined;
}

function kindOf(effect: FilePut): PresentFile['kind'] {
  return effect.kind === 'other' ? 'fifo' : effect.kind;
}

function below(path: string, directory: string): boolean {
  return path.startsWith(directory === '/' ? '/' : `${directory}/`);
}

function known(value: FileFact): Answer<FileFact> {
  return { state: 'known', value, raw: '' };
}

function defined<T extends object>(record: T): Partial<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Partial<T>;
}
