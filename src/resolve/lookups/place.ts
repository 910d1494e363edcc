import type { EvalPoint } from '../../core/evaluator.ts';
import { scalarText } from '../../core/plain.ts';
import { Float, TemplateError, Tuple, Unknown, UnknownReached, type Value } from '../../jinja/index.ts';
import { findIn, searchFolders } from '../../load/search.ts';
import type { LookupAsker } from '../lookup-tools.ts';
import { roleOf } from '../magic.ts';
import type { RandomSource } from '../random-places.ts';
import type { LayeredScope } from '../scope.ts';
import type { ResolveSettings } from '../settings.ts';

/** Where a lookup is asked for. */
export interface LookupPlace {
  scope: LayeredScope;
  settings: ResolveSettings;
  point: EvalPoint;
  /** Renders a template file or text of the controller. */
  template(path: string, vars: ReadonlyMap<string, Value>): Value;
}

/** Who asks, for lookups that do more than read. */
export function askerAt({ point: { host, task, play } }: LookupPlace): LookupAsker {
  return { host, task: task?.id ?? play.id, origin: task?.origin ?? play.origin };
}

export type Kwargs = ReadonlyMap<string, Value>;
export type Lookup = (terms: readonly Value[], kwargs: Kwargs, place: LookupCall) => Value[] | Unknown;

export interface LookupCall extends LookupPlace {
  random: RandomSource;
}

/** A failed lookup, as a template error: the task fails with it. */
export function lookupError(message: string): TemplateError {
  return new TemplateError('type', message);
}

/** The text of a term. Throws for lists, dicts and Unknowns. */
export function term(value: Value): string {
  if (value instanceof Unknown) throw new UnknownReached(value);
  const text = scalarText(value);
  if (text !== undefined) return text;
  throw lookupError('Invalid setting identifier: the lookup takes text');
}

export function option(kwargs: Kwargs, name: string): Value | undefined {
  const value = kwargs.get(name);
  if (value instanceof Unknown) throw new UnknownReached(value);
  return value;
}

export function textOption(kwargs: Kwargs, name: string, fallback: string): string {
  const value = option(kwargs, name);
  return value === undefined || value === null ? fallback : term(value);
}

export function flag(kwargs: Kwargs, name: string, fallback: boolean): boolean {
  const value = option(kwargs, name);
  if (value === undefined || value === null) return fallback;
  if (typeof value === 'boolean') return value;
  return ['yes', 'true', 'on', '1', 'y', 't'].includes(term(value).toLowerCase());
}

export function intOption(kwargs: Kwargs, name: string, fallback: number): number {
  const value = option(kwargs, name);
  if (value === undefined || value === null) return fallback;
  const number = Number(value instanceof Float ? value.value : term(value));
  if (Number.isInteger(number)) return number;
  throw lookupError(`${name} is no whole number`);
}

export function itemsOf(value: Value): readonly Value[] | undefined {
  return Array.isArray(value) ? value : value instanceof Tuple ? value.items : undefined;
}

/** Folders that a name of this kind is searched in. */
export function foldersOf({ point }: LookupPlace, kind: string): string[] {
  const file = point.task?.file ?? point.play.file;
  return searchFolders({ file, playFile: point.play.file, role: roleOf(point) }, kind);
}

/** A file of the controller, or undefined. */
export function locate(place: LookupPlace, kind: string, name: string): string | undefined {
  return findIn(place.settings.sources, foldersOf(place, kind), name);
}
