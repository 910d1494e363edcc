import type { Bound, Signature } from './environment.ts';
import { typeError } from './errors.ts';
import type { CallArguments, Value } from './values.ts';

const none: ReadonlyMap<string, Value> = new Map();
export const noCall: CallArguments = { args: [], kwargs: none };

/** Reads `'old, new, count?, *rest, **options'`. */
export function signature(text: string): Signature {
  const parts = text.split(',').flatMap((part) => part.trim() || []);
  const names = parts.filter((part) => !part.startsWith('*')).map((part) => part.replace('?', ''));
  return {
    names,
    required: parts.filter((part) => /^\w+$/.test(part)).length,
    rest: parts.find((part) => /^\*\w/.test(part))?.slice(1),
    keywords: parts.find((part) => part.startsWith('**'))?.slice(2),
  };
}

/** Puts the arguments of a call in the order of the parameters, as Python does. `what` names the callee in errors. */
export function bind(shape: Signature, call: CallArguments, what: string): Bound {
  const plain = call.kwargs.size === 0 && call.args.length <= shape.names.length && call.args.length >= shape.required;
  if (plain && !shape.rest && !shape.keywords) return call.args as unknown as Bound;
  const values: (Value | undefined)[] = call.args.slice(0, shape.names.length);
  const rest = call.args.slice(shape.names.length);
  if (rest.length > 0 && !shape.rest) throw tooMany(shape, call, what);
  const keywords = bindKeywords(shape, call, values, what);
  const missing = shape.names.slice(0, shape.required).filter((_, i) => values[i] === undefined);
  if (missing.length > 0) throw typeError(`${what} is missing the argument ${missing.map(quoted).join(' and ')}`);
  return Object.assign(values, { rest, keywords });
}

function bindKeywords(shape: Signature, call: CallArguments, values: (Value | undefined)[], what: string) {
  const keywords = new Map<string, Value>();
  for (const [name, value] of call.kwargs) {
    const index = shape.names.indexOf(name);
    if (index < 0 && !shape.keywords) throw typeError(`${what} got an unexpected keyword argument '${name}'`);
    if (index < 0) keywords.set(name, value);
    else if (values[index] !== undefined) throw typeError(`${what} got the argument '${name}' twice`);
    else values[index] = value;
  }
  return keywords;
}

function tooMany(shape: Signature, call: CallArguments, what: string) {
  return typeError(`${what} takes at most ${shape.names.length} arguments (${call.args.length} given)`);
}

const quoted = (name: string) => `'${name}'`;
