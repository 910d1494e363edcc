import type { CharacterSet } from './sets.ts';

/** A parsed pattern of Python's `re`. */
export type Node =
  | { kind: 'empty' }
  | { kind: 'set'; set: CharacterSet }
  | { kind: 'sequence'; items: Node[] }
  | { kind: 'choice'; options: Node[] }
  | { kind: 'group'; index: number; body: Node }
  | { kind: 'atomic'; body: Node }
  | { kind: 'look'; behind: boolean; negated: boolean; body: Node }
  | { kind: 'repeat'; body: Node; min: number; max: number; mode: 'greedy' | 'lazy' | 'possessive' }
  | { kind: 'assertion'; what: Assertion; ascii: boolean }
  | { kind: 'reference'; index: number; ignoreCase: boolean }
  | { kind: 'condition'; index: number; yes: Node; no: Node };

export type Assertion = 'start' | 'line-start' | 'end' | 'line-end' | 'very-end' | 'word' | 'not-word';

export interface Flags {
  ignoreCase: boolean;
  multiline: boolean;
  dotAll: boolean;
  verbose: boolean;
  ascii: boolean;
}

export interface Pattern {
  root: Node;
  groups: number;
  names: Map<string, number>;
}
