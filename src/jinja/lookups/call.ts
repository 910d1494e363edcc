import type { Context } from '../environment.ts';
import { TemplateError, typeError } from '../errors.ts';
import { isTrue } from '../python/compare.ts';
import { nearestName } from '../python/nearest.ts';
import { pyStr } from '../python/repr.ts';
import { markUnsafe, rawText } from '../python/text.ts';
import { need, undefinedError } from '../python/types.ts';
import { type CallArguments, isString, Undefined, Unknown, type Value } from '../values.ts';
import { standardLookups } from './standard.ts';

/** `lookup('name', …)`: text joined by commas; `query('name', …)`: the list. What comes back is data, never rendered. */
export function callLookup({ args, kwargs }: CallArguments, context: Context, asList: boolean): Value {
  const [first, ...terms] = args;
  if (first === undefined) throw typeError('lookup() needs the name of a lookup');
  for (const term of [first, ...terms]) if (term instanceof Undefined) throw undefinedError(term);
  const unknown = [...args, ...kwargs.values()].find((argument) => argument instanceof Unknown);
  if (unknown instanceof Unknown) return unknown;
  const options = new Map(kwargs);
  const wantList = asList || isTrue(take(options, 'wantlist') ?? false);
  const mayRender = isTrue(take(options, 'allow_unsafe') ?? false);
  const found = tolerant(take(options, 'errors'), () => run(pyStr(first), terms, options, context));
  if (found instanceof Unknown) return found;
  if (found === undefined) return wantList ? [] : null;
  return mayRender || found.length === 0 ? found : markUnsafe(wantList ? found : joined(found));
}

function take(options: Map<string, Value>, name: string): Value | undefined {
  const value = options.get(name);
  options.delete(name);
  return value;
}

/** With `errors='ignore'` (or `'warn'`) a lookup that fails gives nothing. */
function tolerant<T>(errors: Value | undefined, run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    const ignored = errors !== undefined && isString(errors) && ['ignore', 'warn'].includes(rawText(errors));
    if (!ignored || !(error instanceof TemplateError) || error.kind === 'limit' || error.kind === 'security')
      throw error;
    return undefined;
  }
}

const prefix = /^(?:ansible\.(?:builtin|legacy|utils)|community\.general)\./;

function run(
  name: string,
  terms: readonly Value[],
  kwargs: ReadonlyMap<string, Value>,
  context: Context,
): Value[] | Unknown {
  const short = name.replace(prefix, '');
  const own = context.env.lookups?.(short, terms, kwargs, context);
  if (own !== undefined) return own;
  const standard = Object.hasOwn(standardLookups, short) ? standardLookups[short] : undefined;
  if (standard) return standard.run(terms, kwargs, context);
  const nearest = nearestName(short, Object.keys(standardLookups));
  throw typeError(`lookup plugin (${name}) not found${nearest ? `, did you mean '${nearest}'?` : ''}`);
}

/** Strings by commas; one other value as it is; several as a list. */
function joined(found: Value[]): Value {
  if (found.every(isString)) return found.map((item) => rawText(item)).join(',');
  for (const item of found) need(item);
  return found.length === 1 ? found[0]! : found;
}
