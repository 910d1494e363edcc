import type { Effect } from '../core/effects.ts';
import type { Answer, Draft, Visit } from '../core/facts.ts';
import { families } from './families.ts';
import type { Entry } from './marks.ts';
import type { FactStore } from './store.ts';

/** Answers being changed, in place, by the reducers of the fact families. */
export class WorldDraft implements Draft {
  /** Answers that reducers looked at: what an effect costs. */
  visited = 0;
  private readonly store: FactStore;

  constructor(store: FactStore) {
    this.store = store;
  }

  fold(asPlanned: Effect): void {
    const effect = 'path' in asPlanned ? { ...asPlanned, path: this.followed(asPlanned.path) } : asPlanned;
    for (const reduce of reducers) reduce(effect, this);
    if (effect.type === 'file.put' || effect.type === 'file.unknown') this.doubtUnresolved();
    if (effect.type === 'world.open') this.open(effect.why);
    if (effect.type === 'fact.set') this.set(effect.family, effect.id, known(effect.value));
    if (effect.type === 'fact.unknown') this.set(effect.family, effect.id, { state: 'unknown', why: effect.why });
  }

  each(family: string, visit: Visit, prefix?: string): void {
    this.visit(this.store.ofFamily(family, prefix), visit);
  }

  near(family: string, real: string, visit: Visit): void {
    this.visit(this.store.near(family, real), visit);
  }

  around(family: string, real: string, visit: Visit): void {
    this.visit(this.store.around(family, real), visit);
  }

  marked(mark: string, visit: Visit): void {
    this.visit(this.store.marked(mark), visit);
  }

  get(family: string, id: string): Answer | undefined {
    return this.store.get({ family, id });
  }

  set(family: string, id: string, answer: Answer): void {
    for (const view of this.store.viewNumbers) this.store.put({ key: { family, id }, answer, asserted: true, view });
  }

  private visit(entries: Iterable<Entry>, visit: Visit) {
    for (const entry of entries) {
      this.visited++;
      const set = (answer: Answer) => this.store.put({ ...entry, answer: asWanted(answer, entry), asserted: true });
      visit(entry.key.id, entry.answer, set);
    }
  }

  /** The path behind links that are only planned. */
  private followed(path: string): string {
    for (let found = path, links = 0; links < 40; links++) {
      const answer = this.get('file', found);
      if (answer?.state !== 'unknown' || answer.at === undefined) return found;
      found = answer.at;
    }
    return path;
  }

  /** What lies behind a path that cannot be resolved any more (a link was put above it) is unknown, never absent. */
  private doubtUnresolved() {
    for (const path of this.store.unresolved()) {
      const file = this.get('file', path);
      if (file?.state !== 'unknown') continue;
      const known = this.store.atPath(path).filter(({ answer }) => answer.state === 'known');
      this.visit(known, (_id, _answer, set) => set({ state: 'unknown', why: file.why }));
    }
  }

  /** What was absent and not asserted since may be there now. */
  private open(why: string) {
    for (const entry of this.store.marked('a'))
      this.store.put({ ...entry, answer: { state: 'unknown', why, was: entry.answer } });
  }
}

const reducers = [...families.values()].flatMap(({ reduce }) => reduce ?? []);

/** What was asked for stays what was asked for, though an effect changed the answer. */
function asWanted(answer: Answer, { answer: before }: Entry): Answer {
  const wants = before.state === 'known' ? before.wants : undefined;
  return wants && answer.state === 'known' && !answer.wants ? { ...answer, wants } : answer;
}

function known(value: unknown): Answer {
  return { state: 'known', value, raw: '' };
}
