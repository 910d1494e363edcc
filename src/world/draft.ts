import type { Effect } from '../core/effects.ts';
import type { Answer, Draft, FactKey } from '../core/facts.ts';
import { keyText } from '../core/facts.ts';
import type { Identity } from '../core/identity.ts';
import { families } from './families.ts';

/** One answer with its key. `asserted`: a step of this run made it so; a package install does not make it doubtful. */
export interface Entry {
  key: FactKey;
  answer: Answer;
  asserted: boolean;
}

/** What one identity sees. */
export interface View {
  identity: Identity;
  entries: ReadonlyMap<string, Entry>;
}

/** A World being changed: copies of the views, written by the reducers of the fact families. */
export class WorldDraft implements Draft {
  /** What else is known: where answers that are not being changed are looked up. */
  private readonly beyond: WorldDraft | undefined;
  private readonly views: { name: string; identity: Identity; entries: Map<string, Entry> }[];

  constructor(views: ReadonlyMap<string, View>, beyond?: WorldDraft) {
    this.beyond = beyond;
    this.views = [...views].map(([name, view]) => ({ name, identity: view.identity, entries: new Map(view.entries) }));
  }

  fold(asPlanned: Effect): void {
    const effect = 'path' in asPlanned ? { ...asPlanned, path: this.followed(asPlanned.path) } : asPlanned;
    for (const family of families.values()) family.reduce?.(effect, this);
    if (effect.type === 'file.put' || effect.type === 'file.unknown') this.doubtUnresolved();
    if (effect.type === 'world.open') this.open(effect.why);
    if (effect.type === 'fact.set') this.set(effect.family, effect.id, known(effect.value));
    if (effect.type === 'fact.unknown') this.set(effect.family, effect.id, { state: 'unknown', why: effect.why });
  }

  each(family: string, visit: (id: string, answer: Answer, set: (answer: Answer) => void) => void): void {
    for (const { entries } of this.views)
      for (const [name, entry] of entries) {
        if (entry.key.family !== family) continue;
        const set = (answer: Answer) =>
          entries.set(name, { ...entry, answer: asWanted(answer, entry), asserted: true });
        visit(entry.key.id, entry.answer, set);
      }
  }

  get(family: string, id: string): Answer | undefined {
    const name = keyText({ family, id });
    for (const { entries } of this.views) {
      const entry = entries.get(name);
      if (entry) return entry.answer;
    }
    return this.beyond?.get(family, id);
  }

  set(family: string, id: string, answer: Answer): void {
    const key = { family, id };
    for (const { entries } of this.views) entries.set(keyText(key), { key, answer, asserted: true });
  }

  done(): ReadonlyMap<string, View> {
    return new Map(this.views.map(({ name, identity, entries }) => [name, { identity, entries }]));
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
    for (const { name, path } of families.values())
      if (path)
        this.each(name, (id, answer, set) => {
          const file = answer.state === 'known' ? this.get('file', path(id)) : undefined;
          if (file?.state === 'unknown') set({ state: 'unknown', why: file.why });
        });
  }

  /** What was absent and not asserted since may be there now. */
  private open(why: string) {
    for (const { entries } of this.views)
      for (const [name, entry] of entries) {
        if (entry.asserted || entry.answer.state !== 'known') continue;
        const absent = families.get(entry.key.family)?.absent;
        if (absent?.(entry.answer.value))
          entries.set(name, { ...entry, answer: { state: 'unknown', why, was: entry.answer } });
      }
  }
}

/** What was asked for stays what was asked for, though an effect changed the answer. */
function asWanted(answer: Answer, { answer: before }: Entry): Answer {
  const wants = before.state === 'known' ? before.wants : undefined;
  return wants && answer.state === 'known' && !answer.wants ? { ...answer, wants } : answer;
}

function known(value: unknown): Answer {
  return { state: 'known', value, raw: '' };
}
