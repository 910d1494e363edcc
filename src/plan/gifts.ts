import type { Gift, VarState } from '../core/evaluator.ts';
import type { Instance } from './instance.ts';
import { keywordText, keywordTrue } from './keywords.ts';
import { safely } from './safely.ts';

/** The other host that the facts of a task belong to: `delegate_to` with `delegate_facts`. */
export function receiverOf(instance: Instance): string | undefined {
  const { keywords } = instance.context;
  if (!keywords.delegateTo || !keywordTrue(instance, keywords.delegateFacts)) return undefined;
  const to = keywordText(instance, keywords.delegateTo);
  return to && to !== instance.env.host ? to : undefined;
}

/** Whether its facts belong to whom it is delegated to, be that another host or this one. */
export function givesFacts(instance: Instance): boolean {
  const { delegateTo, delegateFacts } = instance.context.keywords;
  if (!delegateTo || !delegateFacts) return false;
  // Of a loop's item nothing is known here: then it may.
  return safely(() => keywordTrue(instance, delegateFacts)) ?? true;
}

/** Facts are kept with who found them until the hosts meet: another host's state is not this one's to change. */
export function give(vars: VarState, gift: Gift): VarState {
  return { ...vars, given: [...(vars.given ?? []), gift] };
}

/** What a host knows once it has been given these facts. */
export function take(vars: VarState, gifts: readonly Gift[]): VarState {
  const [set, facts] = [
    gifts.flatMap((gift) => [...(gift.set ?? [])]),
    gifts.flatMap((gift) => [...(gift.facts ?? [])]),
  ];
  return {
    ...vars,
    set: set.length > 0 ? new Map([...vars.set, ...set]) : vars.set,
    facts: facts.length > 0 ? new Map([...vars.facts, ...facts]) : vars.facts,
  };
}

/** A host's own gifts are taken, what others were given is known from now on, in the order that holds for all. */
export function receive(vars: VarState, host: string, gifts: readonly Gift[]): VarState {
  const news = new Set(gifts);
  const before = (vars.given ?? []).filter((gift) => !news.has(gift));
  const others = gifts.filter(({ to }) => to !== host);
  const own = gifts.filter(({ to }) => to === host);
  return { ...take(vars, own), given: [...before, ...others] };
}
