import type { FactKey, Question } from '../core/facts.ts';
import { keyText } from '../core/facts.ts';
import { type Identity, identityKey } from '../core/identity.ts';
import type { Need, Reply } from '../core/needs.ts';
import { families } from '../world/families.ts';
import type { HostEnv, Scout } from './environment.ts';
import { takeTurn } from './machine.ts';
import { advance, type HostState, pop } from './state.ts';

/** How far a look-ahead goes at most, in turns: a bound on work, not on correctness. */
const turnLimit = 100_000;

export type LookAhead = Generator<Need, Question[], Reply>;

export interface ScoutOptions {
  /** Later plays of this host: what they will ask can be asked now. */
  later: () => { state: HostState; env: HostEnv }[];
  stopAtOpaque: boolean;
}

/**
 * Every fact that the rest of the run is known to need, whatever its conditions: so that one trip asks for all.
 * It plans on without the missing answers, on a state of its own.
 */
export function* lookAhead(state: HostState, env: HostEnv, options: ScoutOptions): LookAhead {
  const wanted = new Wanted();
  const scout: Scout = {
    want: (_on, identity, keys) => wanted.add(identity, keys),
    stop: false,
    stopAtOpaque: options.stopAtOpaque,
    changes: false,
  };
  const world = yield* scan({ ...state, pending: [], log: [] }, { ...env, scout, segment: undefined }, scout);
  if (world)
    for (const play of options.later()) {
      if (scout.stop) break;
      yield* scan({ ...play.state, world: world.world }, { ...play.env, scout, segment: undefined }, scout);
    }
  return wanted.questions();
}

function* scan(start: HostState, env: HostEnv, scout: Scout): Generator<Need, HostState | undefined, Reply> {
  let state = start;
  for (let turns = 0; turns < turnLimit && !scout.stop; turns++) {
    yield { kind: 'breathe' };
    const turn = takeTurn(state, env);
    if (turn.kind === 'end') return turn.state;
    state = turn.kind === 'next' ? { ...turn.state, log: [], pending: [], status: revived(turn.state) } : past(state);
  }
  return state;
}

/** A look-ahead knows no failure: what fails for want of answers may well work. */
function revived(state: HostState): HostState['status'] {
  return state.status === 'failed' && state.frames ? 'running' : state.status;
}

/** Past a task that would need a driver. */
function past(state: HostState): HostState {
  return state.frames?.kind === 'block' ? pop(state) : advance(state);
}

/** Questions merged per identity and key. */
class Wanted {
  private readonly groups = new Map<string, { identity: Identity; keys: Map<string, FactKey> }>();

  add(identity: Identity, keys: readonly FactKey[]) {
    const name = identityKey(identity);
    const group = this.groups.get(name) ?? { identity, keys: new Map() };
    this.groups.set(name, group);
    for (const key of keys) group.keys.set(keyText(key), merge(group.keys.get(keyText(key)), key));
  }

  questions(): Question[] {
    return [...this.groups.values()].map(({ identity, keys }) => ({ identity, keys: [...keys.values()] }));
  }
}

function merge(known: FactKey | undefined, key: FactKey): FactKey {
  if (!known) return key;
  const family = families.get(key.family);
  const wants = family?.mergeWants ? family.mergeWants(known.wants, key.wants) : { ...known.wants, ...key.wants };
  return { ...key, wants };
}
