import { Chain } from '../core/chain.ts';
import type { Effect } from '../core/effects.ts';
import type { Answer, FactKey, Wants } from '../core/facts.ts';
import type { Identity } from '../core/identity.ts';
import type { AnsweredKey } from '../core/needs.ts';
import { WorldDraft } from './draft.ts';
import { families } from './families.ts';
import type { Entry } from './marks.ts';
import { FactStore } from './store.ts';

/**
 * All that is known of a host: its answers, folded with the effects of the steps planned since. Never changed in
 * place, so that the planner can go back to an earlier one.
 */
export class World {
  /** Never changed once it is here. */
  readonly facts: FactStore;
  /** Why answers may be out of date: an opaque step was planned and is not yet known to have run. */
  readonly clouded: string | undefined;
  /** In a plan: the opaque step that answers asked now may not survive. */
  readonly provisional: string | undefined;
  /** Effects the host does not show yet: they are folded into what it answers from now on too. */
  private readonly unreal: Chain<Effect>;
  /** In a plan: why the machine will be another one, of which nothing can be asked yet. */
  private readonly remade: string | undefined;

  constructor(
    facts: FactStore = new FactStore(),
    clouded?: string,
    provisional?: string,
    unreal: Chain<Effect> = Chain.of(),
    remade?: string,
  ) {
    this.facts = facts;
    this.clouded = clouded;
    this.provisional = provisional;
    this.unreal = unreal;
    this.remade = remade;
  }

  /** The answer, when it is there and rich enough; unknown when asking for the rest would not help. */
  find(identity: Identity, asked: FactKey): Answer | undefined {
    const key = this.where(identity, asked);
    const answer = this.facts.entryOf(identity, key)?.answer;
    if (!answer && this.remade !== undefined) return { state: 'unknown', why: this.remade };
    if (!answer || satisfies(answer, key)) return answer;
    const why = answer.state === 'known' ? families.get(key.family)?.open?.(answer.value) : undefined;
    return why === undefined ? undefined : { state: 'unknown', why };
  }

  /** The key under which the host, as it is now, answers it: paths below a planned link are asked where that leads. */
  where(identity: Identity, key: FactKey): FactKey {
    let { id } = key;
    const isPath = families.get(key.family)?.path?.(id) === id;
    for (let links = 0; isPath && links < 40; links++) {
      const answer = this.facts.entryOf(identity, { family: 'file', id })?.answer;
      if (answer?.state !== 'unknown' || answer.at === undefined) break;
      id = answer.at;
    }
    return id === key.id ? key : { ...key, id };
  }

  /** With what the host answered. */
  withAnswers(answers: readonly AnsweredKey[]): World {
    if (answers.length === 0) return this;
    const facts = this.facts.copy();
    if (this.unreal.length === 0) brought(answers, facts);
    else facts.adopt(this.changed(answers));
    return new World(facts, this.clouded, this.provisional, this.unreal, this.remade);
  }

  /** New answers, with the effects that the host does not show yet. */
  private changed(answers: readonly AnsweredKey[]): FactStore {
    const facts = new FactStore(this.facts);
    brought(answers, facts);
    const draft = new WorldDraft(facts);
    for (const effect of this.unreal) draft.fold(effect);
    for (const { identity, key } of answers) enrich(facts.entryOf(identity, key), key, facts);
    return facts;
  }

  /** As it will be after the effects of a step. */
  after(effects: readonly Effect[]): World {
    if (effects.length === 0) return this;
    const facts = this.facts.copy();
    const draft = new WorldDraft(facts);
    for (const effect of effects) draft.fold(effect);
    const opaque = effects.find((effect) => effect.type === 'opaque');
    return new World(facts, opaque?.why ?? this.clouded, this.provisional, this.unreal.with(...effects), this.remade);
  }

  /** After steps that were only predicted: what they cloud stays readable, marked provisional. */
  predicted(): World {
    return this.clouded ? new World(this.facts, undefined, this.clouded, this.unreal, this.remade) : this;
  }

  /** Nothing known: everything is asked again when it is needed. */
  cleared(): World {
    return new World(new FactStore(), undefined, this.provisional, this.unreal, this.remade);
  }

  /** In a plan, once it is decided that the machine is made anew: all of it is unknown, and is not asked. */
  remadeBy(why: string): World {
    return new World(new FactStore(), undefined, undefined, Chain.of(), why);
  }

  /**
   * After steps that ran: what they touched is asked again when it is needed, for predictions leave fields open and
   * answers unknown that only the host can tell; so is what they may have changed unseen. The rest still holds.
   */
  untouched(): World {
    const facts = this.facts.copy();
    for (const entry of facts.marked('s')) if (!holds(entry)) facts.remove(entry);
    for (const entry of facts.marked('e')) facts.remove(entry);
    return new World(facts, this.clouded, this.provisional, undefined, this.remade);
  }
}

function brought(answers: readonly AnsweredKey[], facts: FactStore) {
  for (const { identity, key, answer } of answers) facts.put(entryOf(key, answer, facts.viewOf(identity)));
}

/** An answer that planned effects left too poor for what was asked is unknown: asking again would bring no more. */
function enrich(entry: Entry | undefined, key: FactKey, facts: FactStore) {
  if (entry && !satisfies(entry.answer, key))
    facts.put({ ...entry, answer: { state: 'unknown', why: `${key.id} changed` } });
}

function holds({ key, asserted, answer }: Entry): boolean {
  return answer.state !== 'unknown' && (!asserted || families.get(key.family)?.ofRun === true);
}

function entryOf(key: FactKey, answer: Answer, view: number): Entry {
  const kept = answer.state === 'known' && key.wants ? { ...answer, wants: key.wants } : answer;
  return { key: { family: key.family, id: key.id }, answer: kept, asserted: false, view };
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
