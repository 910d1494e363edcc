import type { Origin } from './origin.ts';

/** What decides the exit code and the wording; never the message text. */
export type ErrorKind = 'input' | 'unreachable' | 'auth' | 'task' | 'gate' | 'interrupted' | 'internal';

export interface ErrorFacts {
  origin?: Origin;
  /** What would have been right there, for example "one of: present, absent". */
  expected?: string;
  /** The nearest valid spelling of what was written. */
  nearest?: string;
  /** What to try. */
  hint?: string;
  /** Further places, such as the other of two duplicate keys. */
  related?: { origin: Origin; text: string }[];
  cause?: unknown;
  /** The file, folder or role named there does not exist. */
  missing?: boolean;
  /** What of the language kpush does not have, where that is what is wrong. */
  lacks?: Lack;
}

/** A part of Ansible's language by its kind; a parameter is `module.parameter`. */
export interface Lack {
  kind: 'module' | 'parameter' | 'keyword' | 'filter' | 'test' | 'lookup';
  name: string;
}

/** An error a person reads: what failed and where, what was expected, what to try. */
export class KpushError extends Error {
  readonly kind: ErrorKind;
  readonly facts: ErrorFacts;

  constructor(kind: ErrorKind, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'KpushError';
    this.kind = kind;
    this.facts = facts;
  }
}

/** Bad input of any kind: exit 1, before the first connection. */
export function inputError(message: string, facts: ErrorFacts = {}): KpushError {
  return new KpushError('input', message, facts);
}

/** Several input errors found in one pass; each is shown. */
export class InputErrors extends Error {
  readonly errors: KpushError[];

  constructor(errors: KpushError[]) {
    super(errors.map((error) => error.message).join('\n'));
    this.name = 'InputErrors';
    this.errors = errors;
  }
}

/** Ansible's exit codes with kpush's own 5 (gate) and 130 (interrupted); of several the first of 130, 1, 4, 5, 2. */
export function exitCode(kinds: Iterable<ErrorKind>): number {
  const codes = new Set([...kinds].map((kind) => codeOf[kind]));
  return [130, 1, 4, 5, 2].find((code) => codes.has(code)) ?? 0;
}

const codeOf: Record<ErrorKind, number> = {
  interrupted: 130,
  input: 1,
  internal: 1,
  unreachable: 4,
  auth: 4,
  gate: 5,
  task: 2,
};
