import { TemplateError } from '../errors.ts';
import { nearestName } from '../python/nearest.ts';

const collections = /^(?:ansible\.(?:builtin|legacy|utils|netcommon)|community\.general)\./;

/** A filter or test by its short or its full name. Throws a TemplateError with the nearest name. */
export function find<T>(table: Map<string, T>, name: string, what: string): T {
  const found = table.get(name) ?? table.get(name.replace(collections, ''));
  if (found) return found;
  const nearest = nearestName(name, table.keys());
  const hint = nearest ? `, did you mean '${nearest}'?` : '';
  throw new TemplateError('syntax', `there is no ${what} named '${name}'${hint}`, { nearest });
}

/** Whether `find` finds it. */
export function knows(table: ReadonlyMap<string, unknown>, name: string): boolean {
  return table.has(name) || table.has(name.replace(collections, ''));
}
