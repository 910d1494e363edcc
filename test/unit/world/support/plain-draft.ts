import type { Effect } from '../../../../src/core/effects.ts';
import type { Answer, Draft, Visit } from '../../../../src/core/facts.ts';
import { keyText } from '../../../../src/core/facts.ts';
import { families } from '../../../../src/world/families.ts';
import type { Entry } from '../../../../src/world/marks.ts';

/** A draft without any index: every effect looks at every answer. What WorldDraft must come to as well. */
export class PlainDraft implements Draft {
  readonly entries = new Map<string, Entry>();
  private readonly views: number;

  constructor(views: number, entries: readonly Entry[]) {
    this.views = views;
    for (const entry of entries) this.entries.set(`${entry.view} ${keyText(entry.key)}`, entry);
  }

  fold(asPlanned: Effect): void {
    const effect = 'path' in asPlanned ? { ...asPlanned, path: this.followed(asPlanned.path) } : asPlanned;
    for (const family of families.values()) family.reduce?.(effect, this);
    if (effect.type === 'file.put' || effect.type === 'file.unknown') this.doubtUnresolved();
    if (effect.type === 'world.open') this.open(effect.why);
    if (effect.type === 'fact.set')
      this.set(effect.family, effect.id, { state: 'known', value: effect.value, raw: '' });
    if (effect.type === 'fact.unknown') this.set(effect.family, effect.id, { state: 'unknown', why: effect.why });
  }

  each(family: string, visit: Visit): void {
    for (const [name, entry] of this.entries) {
      if (entry.key.family !== family) continue;
      visit(entry.key.id, entry.answer, (answer) => {
        const wants = entry.answer.state === 'known' ? entry.answer.wants : undefined;
        const kept = wants && answer.state === 'known' && !answer.wants ? { ...answer, wants } : answer;
        this.entries.set(name, { ...entry, answer: kept, asserted: true });
      });
    }
  }

  near(family: string, _real: string, visit: Visit): void {
    this.each(family, visit);
  }

  around(family: string, _real: string, visit: Visit): void {
    this.each(family, visit);
  }

  marked(_mark: string, visit: Visit): void {
    this.each('file', visit);
  }

  get(family: string, id: string): Answer | undefined {
    for (let view = 0; view < this.views; view++) {
      const entry = this.entries.get(`${view} ${keyText({ family, id })}`);
      if (entry) return entry.answer;
    }
    return undefined;
  }

  set(family: string, id: string, answer: Answer): void {
    const key = { family, id };
    for (let view = 0; view < this.views; view++)
      this.entries.set(`${view} ${keyText(key)}`, { key, answer, asserted: true, view });
  }

  private followed(path: string): string {
    for (let found = path, links = 0; links < 40; links++) {
      const answer = this.get('file', found);
      if (answer?.state !== 'unknown' || answer.at === undefined) return found;
      found = answer.at;
    }
    return path;
  }

  private doubtUnresolved() {
    for (const { name, path } of families.values())
      if (path)
        this.each(name, (id, answer, set) => {
          const file = answer.state === 'known' ? this.get('file', path(id)) : undefined;
          if (file?.state === 'unknown') set({ state: 'unknown', why: file.why });
        });
  }

  private open(why: string) {
    for (const [name, entry] of this.entries) {
      if (entry.asserted || entry.answer.state !== 'known') continue;
      if (families.get(entry.key.family)?.absent?.(entry.answer.value))
        this.entries.set(name, { ...entry, answer: { state: 'unknown', why, was: entry.answer } });
    }
  }
}
