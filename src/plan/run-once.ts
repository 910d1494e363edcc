import type { SharedResult } from '../core/needs.ts';
import type { Value } from '../jinja/values.ts';
import { givesFacts } from './gifts.ts';
import type { Instance } from './instance.ts';
import { advance, type HostState, positionOf } from './state.ts';
import type { Turn } from './turn.ts';

/** run_once: one host leads; its result, facts and variables are set on every host of the batch. */
export function isFollower(state: HostState): state is HostState & { shared: SharedResult } {
  return state.shared !== undefined && state.shared !== 'lead';
}

/** The leader's task is over on this host: tell the others. Of a loop nothing is told before its end. */
export function shareTurn(instance: Instance, after: HostState): Turn {
  const { state } = instance;
  if (after.frames?.kind === 'loop') return { kind: 'next', state: after };
  if (after.pending.length > 0) return { kind: 'cut', state: after };
  return {
    kind: 'need',
    need: { kind: 'share', position: positionOf(state), shared: sharedBy(instance, after) },
    resume: () => after,
  };
}

export function sharedBy(instance: Instance, after: HostState): SharedResult {
  const { state, task } = instance;
  const register = task.register?.value;
  const isShared = givesFacts(instance) ? (name: string) => name === register : () => true;
  const news = (known: ReadonlyMap<string, Value>, found: ReadonlyMap<string, Value>) =>
    new Map([...found].filter(([name, value]) => known.get(name) !== value && isShared(name)));
  const registered = typeof register === 'string' ? after.vars.set.get(register) : undefined;
  return {
    result: { changed: false, values: new Map(registered === undefined ? [] : [['registered', registered]]) },
    failed: after.status === 'failed',
    set: news(state.vars.set, after.vars.set),
    facts: news(state.vars.facts, after.vars.facts),
  };
}

/** A follower takes over what the leader found; if the leader failed, so does everyone. */
export function receiveShared(instance: Instance): Turn {
  const { state } = instance;
  const shared = (state as HostState & { shared: SharedResult }).shared;
  if (shared.failed) return { kind: 'next', state: { ...advance(state), frames: undefined, status: 'failed' } };
  const vars = {
    ...state.vars,
    set: new Map([...state.vars.set, ...shared.set]),
    facts: new Map([...state.vars.facts, ...shared.facts]),
  };
  return { kind: 'next', state: advance({ ...state, vars, seq: state.seq + 1 }) };
}
