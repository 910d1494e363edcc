import { inputError, type KpushError, type Lack } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { Origin } from '../core/origin.ts';
import type { Used, UsedName } from '../jinja/index.ts';
import type { Action } from './action.ts';
import type { Loading, NameKind, NameTable } from './context.ts';
import { nearestWays } from './nearest-ways.data.ts';

/** A module that nothing knows, with the nearest way to say what it does. */
export function unknownModule({ module, written, origin }: Action, loading: Loading): KpushError {
  return lack({ kind: 'module', name: module }, `kpush has no module '${written}'`, origin, loading.modules.names());
}

/** Notes filters, tests and lookups of a template that the engine does not have. */
export function nameLacks(used: Used, place: (at: UsedName) => Origin, loading: Loading): void {
  const kinds: [NameKind, UsedName[]][] = [
    ['filter', used.filters],
    ['test', used.tests],
    ['lookup', used.lookups],
  ];
  for (const [kind, names] of kinds) for (const at of names) noteName(kind, at.name, () => place(at), loading);
}

/** Notes a `with_…` whose lookup the engine does not have. */
export function loopLack(kind: string, origin: Origin, loading: Loading): void {
  noteName('lookup', kind, () => origin, loading);
}

function noteName(kind: NameKind, name: string, place: () => Origin, { names, problems }: Loading): void {
  if (!names || names.has(kind, name)) return;
  problems.add(lack({ kind, name }, `kpush has no ${kind} '${name}'`, place(), names.all(kind)));
}

function lack(lacks: Lack, message: string, origin: Origin, valid: ReturnType<NameTable['all']>): KpushError {
  const way = nearestWays[`${lacks.kind} ${lacks.name}`] ?? nearestWays[`${lacks.kind} ${lacks.name.split('.').pop()}`];
  const close = nearest(lacks.name, valid);
  const hint = way ?? (close ? undefined : otherwise[lacks.kind]);
  return inputError(message, {
    origin,
    lacks,
    ...(close && !way ? { nearest: close } : {}),
    ...(hint ? { hint } : {}),
  });
}

const otherwise: Partial<Record<Lack['kind'], string>> = {
  module: "write it as 'command:' with 'creates:', 'unless:' or 'only_if:'; 'kpush doc' lists the modules there are",
  filter: 'docs/reference/templates.md lists the filters there are',
  test: 'docs/reference/templates.md lists the tests there are',
  lookup: "run the program that gives the value in a task with 'delegate_to: localhost' and 'register:'",
};
