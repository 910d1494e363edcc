import type { FactKey } from '../core/facts.ts';
import type { Identity } from '../core/identity.ts';
import type { Need, Reply } from '../core/needs.ts';
import type { HostState } from './state.ts';

/** What one turn of a host's planning came to. */
export type Turn =
  | { kind: 'next'; state: HostState }
  /** Facts are missing; the task at hand is planned again with them. */
  | { kind: 'ask'; on: string; identity: Identity; keys: FactKey[] }
  /** What is pending must run before anything else can be decided. */
  | { kind: 'cut'; state: HostState }
  | { kind: 'need'; need: Need; resume(reply: Reply): HostState }
  | { kind: 'end'; state: HostState };

/** Thrown while planning a task; caught where the turn is made. */
export class Interruption extends Error {
  readonly turn: Exclude<Turn, { kind: 'next' | 'end' }>;
  constructor(turn: Exclude<Turn, { kind: 'next' | 'end' }>) {
    super(turn.kind);
    this.turn = turn;
  }
}
