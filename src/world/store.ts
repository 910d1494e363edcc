import type { Answer, FactKey } from '../core/facts.ts';
import { type Identity, identityKey } from '../core/identity.ts';
import { families } from './families.ts';
import { factOf } from './file-effects.ts';
import { directoriesAbove, type Entry, marksOf, pathOf } from './marks.ts';
import { Sorted } from './sorted.ts';

/** Of marks with these letters. */
type Counts = Record<'r' | 'o' | 'l' | 'x', number>;

interface View {
  identity: Identity;
  at: number;
}

/**
 * The answers of a host, sorted so that what concerns a file stands together whatever family it is of, and with marks by
 * which an effect finds what it changes. A copy costs nothing, so that the planner can go back to an earlier one.
 *
 * Names of entries: `P PATH 0 FAMILY 0 ID 0 VIEW` for families of files, else `F FAMILY 0 ID 0 VIEW`, where 0 is a zero
 * byte: it sorts before every character of a path, and `/` just before `0`, so that all below a directory is a range.
 * Marks of paths, besides those of entries (marks.ts): `l` the host did not tell where it is; `x` so, and it may be
 * elsewhere; `u` it is not known any more, but some answer about it still is.
 */
export class FactStore {
  private readonly entries: Sorted<Entry>;
  private readonly marks: Sorted<string>;
  private views: ReadonlyMap<string, View>;
  /** What else is known: where answers that are not in here are looked up. */
  private readonly beyond: FactStore | undefined;
  /** How many marks there are of each kind: of most there are none, and then nothing is looked up. */
  private readonly counts: Counts;
  /** What was found at and below a path, since each family looks there for the same effect. */
  private found: { path: string; families: Map<string, Entry[]>; stale: Set<string> } | undefined;

  constructor(
    beyond?: FactStore,
    entries: Sorted<Entry> = new Sorted(),
    marks: Sorted<string> = new Sorted(),
    views: ReadonlyMap<string, View> = new Map(),
    counts: Counts = { r: 0, o: 0, l: 0, x: 0 },
  ) {
    this.beyond = beyond;
    this.entries = entries;
    this.marks = marks;
    this.views = views;
    this.counts = counts;
  }

  copy(): FactStore {
    return new FactStore(this.beyond, this.entries.copy(), this.marks.copy(), this.views, { ...this.counts });
  }

  /** The answer that one identity sees. */
  entryOf(identity: Identity, key: FactKey): Entry | undefined {
    const view = this.views.get(identityKey(identity));
    return view && this.entries.get(nameOf(key, view.at));
  }

  /** The number of an identity, made where it has none. */
  viewOf(identity: Identity): number {
    const name = identityKey(identity);
    const known = this.views.get(name) ?? this.beyond?.views.get(name);
    const view = known ?? { identity, at: Math.max(0, ...this.numbersTaken().map((at) => at + 1)) };
    if (!this.views.has(name)) this.views = new Map([...this.views, [name, view]]);
    return view.at;
  }

  get viewNumbers(): number[] {
    return [...this.views.values()].map(({ at }) => at);
  }

  private numbersTaken(): number[] {
    return [...this.viewNumbers, ...(this.beyond?.numbersTaken() ?? [])];
  }

  /** Takes over all answers of a store that lies in front of this one. */
  adopt(front: FactStore): void {
    this.views = new Map([...this.views, ...front.views]);
    for (const entry of front.entries.values()) this.put(entry);
  }

  /** What the first identity that asked sees. */
  get(key: FactKey): Answer | undefined {
    for (const { at } of this.views.values()) {
      const entry = this.entries.get(nameOf(key, at));
      if (entry) return entry.answer;
    }
    return this.beyond?.get(key);
  }

  put(given: Entry): void {
    const { name, key } = shared(given);
    const entry = given.key === key ? given : { ...given, key };
    const before = this.entries.get(name);
    this.entries.set(name, entry);
    this.found?.stale.add(entry.key.family);
    this.remark(name, before, entry);
    this.regroup(pathOf(entry.key));
  }

  remove(entry: Entry): void {
    const name = nameOf(entry.key, entry.view);
    this.entries.delete(name);
    this.found?.stale.add(entry.key.family);
    this.remark(name, entry, undefined);
    this.regroup(pathOf(entry.key));
  }

  /** Answers of a family whose ids begin with a text. */
  ofFamily(family: string, prefix = ''): Entry[] {
    if (!families.get(family)?.path)
      return this.entries.between(`F${family}\0${prefix}`, `F${family}\0${prefix}\uffff`);
    return this.entries.between('P', 'Q').filter(({ key }) => key.family === family && key.id.startsWith(prefix));
  }

  /** Answers of every family about this very path. */
  atPath(path: string): Entry[] {
    return this.entries.between(`P${path}\0`, `P${path}\x01`);
  }

  /** Answers of a family about whatever is, or may be, really at `real` or below it, under whatever name it was asked. */
  near(family: string, real: string): Set<Entry> {
    const found = this.textually(family, real);
    for (const source of this.sources())
      if (source.counts.r > 0) for (const name of within(source.marks, 'r', real)) this.sameAs(family, name, found);
    if (this.counts.x > 0) for (const path of this.marks.between('x', 'y')) this.addAt(family, path, found);
    return found;
  }

  /** Those, and answers about what is above. */
  around(family: string, real: string): Set<Entry> {
    const found = this.near(family, real);
    for (const directory of directoriesAbove(real)) {
      this.addAt(family, directory, found);
      for (const source of this.sources())
        if (source.counts.r > 0)
          for (const name of exactly(source.marks, 'r', directory)) this.sameAs(family, name, found);
    }
    return found;
  }

  /** Answers with a mark of marks.ts. */
  marked(mark: string): Entry[] {
    return exactly(this.marks, '', mark).flatMap((name) => this.entries.get(name) ?? []);
  }

  /** Paths that are not known any more, but some answer about them still is. */
  unresolved(): string[] {
    return this.marks.between('u', 'v');
  }

  private sources(): FactStore[] {
    return this.beyond ? [this, this.beyond] : [this];
  }

  private textually(family: string, path: string): Set<Entry> {
    if (this.found?.path !== path || this.found.stale.has(family))
      this.found = { path, families: byFamily(this.underPath(path)), stale: new Set() };
    return new Set(this.found.families.get(family));
  }

  private underPath(path: string): Entry[] {
    const below = this.entries.between(...belowRange('P', path));
    return path === '/' ? below : [...this.atPath(path), ...below];
  }

  private addAt(family: string, path: string, found: Set<Entry>) {
    for (const entry of this.entries.between(`P${path}\0${family}\0`, `P${path}\0${family}\x01`)) found.add(entry);
  }

  /** What was asked by the same path as a file with an alias. */
  private sameAs(family: string, name: string, found: Set<Entry>) {
    this.addAt(family, name.slice(1, name.indexOf('\0')), found);
  }

  private remark(name: string, before: Entry | undefined, after: Entry | undefined) {
    const [old, now] = [before ? marksOf(before) : [], after ? marksOf(after) : []];
    const gone = old.filter((mark) => !now.includes(mark));
    const come = now.filter((mark) => !old.includes(mark));
    for (const mark of gone) this.mark(`${mark}\0${name}`, undefined);
    for (const mark of come) this.mark(`${mark}\0${name}`, name);
    for (const mark of [...gone, ...come]) if (mark[0] === 'o') this.moved(mark.slice(1));
  }

  /** Where untold paths around `path` really are may be another place now. */
  private moved(path: string) {
    if (this.counts.l === 0) return;
    for (const at of within(this.marks, 'l', path)) this.regroup(at);
    for (const at of directoriesAbove(path)) if (this.marks.has(`l${at}`)) this.regroup(at);
  }

  /** Marks of a path follow from all answers about it. */
  private regroup(path: string | undefined) {
    if (path === undefined) return;
    const file = this.get({ family: 'file', id: path });
    const asked = this.entries.hasBetween(`P${path}\0`, `P${path}\x01`);
    const untold = asked && factOf(file) === undefined;
    this.flag(`l${path}`, path, untold);
    this.flag(
      `x${path}`,
      path,
      untold && this.sources().some(({ marks, counts }) => counts.o > 0 && mayBeElsewhere(marks, path)),
    );
    const doubtful = file?.state === 'unknown' && this.atPath(path).some(({ answer }) => answer.state === 'known');
    this.flag(`u${path}`, path, doubtful);
  }

  private flag(name: string, path: string, on: boolean) {
    if (!on && this.counts[name[0] as keyof Counts] === 0) return;
    if (this.marks.has(name) !== on) this.mark(name, on ? path : undefined);
  }

  private mark(name: string, value: string | undefined) {
    const kind = name[0] as keyof Counts;
    if (kind in this.counts) this.counts[kind] += value === undefined ? -1 : 1;
    if (value === undefined) this.marks.delete(name);
    else this.marks.set(name, value);
  }
}

/** Names and keys are the same for every host, and most of what a host takes: they are kept once. */
const names = new Map<string, { name: string; key: FactKey }>();
const mostNames = 100_000;

function shared({ key, view }: Entry): { name: string; key: FactKey } {
  const name = nameOf(key, view);
  const known = names.get(name);
  if (known) return known;
  if (names.size >= mostNames) names.clear();
  const made = { name, key };
  names.set(name, made);
  return made;
}

function byFamily(entries: readonly Entry[]): Map<string, Entry[]> {
  const families = new Map<string, Entry[]>();
  for (const entry of entries) {
    const known = families.get(entry.key.family);
    if (known) known.push(entry);
    else families.set(entry.key.family, [entry]);
  }
  return families;
}

function nameOf(key: FactKey, view: number): string {
  const path = pathOf(key);
  const place =
    path === undefined ? `F${key.family}\0${key.id}` : `P${path}\0${key.family}\0${path === key.id ? '' : key.id}`;
  return `${place}\0${String.fromCharCode(view + 1)}`;
}

function mayBeElsewhere(marks: Sorted<string>, path: string): boolean {
  if (marks.hasBetween(`o${path}\0`, `o${path}\x01`) || marks.hasBetween(...belowRange('o', path))) return true;
  return directoriesAbove(path).some((above) => marks.hasBetween(`o${above}\0`, `o${above}\x01`));
}

/** What has a mark with exactly this path, or one below it. */
function within(marks: Sorted<string>, kind: string, path: string): string[] {
  return [...exactly(marks, kind, path), ...marks.between(...belowRange(kind, path))];
}

function exactly(marks: Sorted<string>, kind: string, value: string): string[] {
  return marks.between(`${kind}${value}`, `${kind}${value}\x01`);
}

function belowRange(kind: string, path: string): [string, string] {
  return path === '/' ? [`${kind}/`, `${kind}0`] : [`${kind}${path}/`, `${kind}${path}0`];
}
