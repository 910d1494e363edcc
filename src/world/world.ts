import type { Effect } from '../core/effects.ts';
import type { Answer, FactKey, Question, Wants } from '../core/facts.ts';
import { keyText } from '../core/facts.ts';
import { type Identity, identityKey } from '../core/identity.ts';
import type { AnsweredKey } from '../core/needs.ts';
import { type Entry, type View, WorldDraft } from './draft.ts';
import { families } from './families.ts';

/**
 * All that is known of a host: its answers, folded with the effects of the steps planned since. Never changed in
 * place, so that the planner can go back to an earlier one.
 */
export class World {
  private readonly views: ReadonlyMap<string, View>;
  /** Why answers may be out of date: an opaque step was planned and is not yet known to have run. */
  readonly clouded: string | undefined;
  /** In a plan: the opaque step that answers asked now may not survive. */
  readonly provisional: string | undefined;
  /** Effects the host does not show yet: they are folded into what it answers from now on too. */
  private readonly unreal: readonly Effect[];

  constructor(
    views: ReadonlyMap<string, View> = new Map(),
    clouded?: string,
    provisional?: string,
    unreal: readonly Effect[] = [],
  ) {
    this.views = views;
    this.clouded = clouded;
    this.provisional = provisional;
    this.unreal = unreal;
  }

  /** The answer, when it is there and rich enough. */
  find(identity: Identity, asked: FactKey): Answer | undefined {
    const key = this.where(identity, asked);
    const answer = this.entry(identity, key)?.answer;
    return answer && satisfies(answer, key) ? answer : undefined;
  }

  /** The key under which the host, as it is now, answers it: paths below a planned link are asked where that leads. */
  where(identity: Identity, key: FactKey): FactKey {
    let { id } = key;
    const isPath = families.get(key.family)?.path?.(id) === id;
    for (let links = 0; isPath && links < 40; links++) {
      const answer = this.entry(identity, { family: 'file', id })?.answer;
      if (answer?.state !== 'unknown' || answer.at === undefined) break;
      id = answer.at;
    }
    return id === key.id ? key : { ...key, id };
  }

  private entry(identity: Identity, key: FactKey): Entry | undefined {
    return this.views.get(identityKey(identity))?.entries.get(keyText(key));
  }

  /** With what the host answered. */
  withAnswers(answers: readonly AnsweredKey[]): World {
    const views = new Map(this.views);
    for (const [name, { identity, entries }] of this.brought(answers))
      views.set(name, { identity, entries: new Map([...(views.get(name)?.entries ?? []), ...entries]) });
    return new World(views, this.clouded, this.provisional, this.unreal);
  }

  /** New answers, with the effects that the host does not show yet. */
  private brought(answers: readonly AnsweredKey[]): ReadonlyMap<string, View> {
    const views = new Map<string, View>();
    for (const [name, group] of groupByIdentity(answers)) {
      const entries = new Map(group.map(({ key, answer }) => [keyText(key), entryOf(key, answer)]));
      views.set(name, { identity: group[0]!.identity, entries });
    }
    if (this.unreal.length === 0) return views;
    const draft = new WorldDraft(views, new WorldDraft(this.views));
    for (const effect of this.unreal) draft.fold(effect);
    return rich(draft.done(), answers);
  }

  /** As it will be after the effects of a step. */
  after(effects: readonly Effect[]): World {
    if (effects.length === 0) return this;
    const draft = new WorldDraft(this.views);
    for (const effect of effects) draft.fold(effect);
    const opaque = effects.find((effect) => effect.type === 'opaque');
    return new World(draft.done(), opaque?.why ?? this.clouded, this.provisional, [...this.unreal, ...effects]);
  }

  /** After steps that were only predicted: what they cloud stays readable, marked provisional. */
  predicted(): World {
    return this.clouded ? new World(this.views, undefined, this.clouded, this.unreal) : this;
  }

  /** Nothing known: everything is asked again when it is needed. */
  cleared(): World {
    return new World(new Map(), undefined, this.provisional, this.unreal);
  }

  /**
   * After steps that ran: what they touched is asked again when it is needed, for predictions leave fields open and
   * answers unknown that only the host can tell; the rest still holds.
   */
  untouched(): World {
    const views = [...this.views].map(([name, view]) => [name, { ...view, entries: firm(view.entries) }] as const);
    return new World(new Map(views), this.clouded, this.provisional);
  }

  /** Every key that was ever asked, for asking again. */
  questions(): Question[] {
    return [...this.views.values()].map(({ identity, entries }) => ({
      identity,
      keys: [...entries.values()].map(({ key, answer }) =>
        answer.state === 'known' && answer.wants ? { ...key, wants: answer.wants } : key,
      ),
    }));
  }
}

/** An answer that planned effects left too poor for what was asked is unknown: asking again would bring no more. */
function rich(views: ReadonlyMap<string, View>, answers: readonly AnsweredKey[]): ReadonlyMap<string, View> {
  const result = new Map([...views].map(([name, view]) => [name, { ...view, entries: new Map(view.entries) }]));
  for (const { identity, key } of answers) {
    const entries = result.get(identityKey(identity))?.entries;
    const entry = entries?.get(keyText(key));
    if (entry && !satisfies(entry.answer, key))
      entries!.set(keyText(key), { ...entry, answer: { state: 'unknown', why: `${key.id} changed` } });
  }
  return result;
}

function firm(entries: View['entries']): View['entries'] {
  const holds = ({ key, asserted, answer }: Entry) =>
    answer.state !== 'unknown' && (!asserted || families.get(key.family)?.ofRun === true);
  return new Map([...entries].filter(([, entry]) => holds(entry)));
}

function entryOf(key: FactKey, answer: Answer): Entry {
  const kept = answer.state === 'known' && key.wants ? { ...answer, wants: key.wants } : answer;
  return { key: { family: key.family, id: key.id }, answer: kept, asserted: false };
}

function groupByIdentity(answers: readonly AnsweredKey[]): Map<string, AnsweredKey[]> {
  const groups = new Map<string, AnsweredKey[]>();
  for (const answered of answers) {
    const name = identityKey(answered.identity);
    const group = groups.get(name);
    if (group) group.push(answered);
    else groups.set(name, [answered]);
  }
  return groups;
}

function satisfies(answer: Answer, key: FactKey): boolean {
  if (answer.state !== 'known') return true;
  const family = families.get(key.family);
  if (family?.satisfies) return family.satisfies(answer, key.wants);
  return sameWants(answer.wants, key.wants);
}

function sameWants(has: Wants | undefined, wants: Wants | undefined): boolean {
  return !wants || Object.entries(wants).every(([name, value]) => has?.[name] === value);
}
