import { typeError } from '../errors.ts';
import { DictView } from '../objects/view.ts';
import { Dict, mappingGet } from '../python/dict.ts';
import { pyRepr } from '../python/repr.ts';
import { items } from '../python/sequence.ts';
import { shownType } from '../python/types.ts';
import { firstDefined, isMapping, isString, type PyDict, Tuple, type Value } from '../values.ts';
import { method, storing } from './define.ts';

const get = method<PyDict>('key, default?', 'The value of a key, else `default`.', (self, [key, fallback = null]) => {
  const value = mappingGet(self, key!);
  return value === undefined ? fallback : value;
});

export const dictMethods = {
  get,
  keys: method<PyDict>('', 'The keys.', (self) => new DictView(self, 'keys')),
  values: method<PyDict>('', 'The values.', (self) => new DictView(self, 'values')),
  items: method<PyDict>('', 'Pairs of key and value.', (self) => new DictView(self, 'items')),
  copy: method<PyDict>('', 'A copy; the values are shared.', (self) => new Dict(self)),
  update: storing<PyDict>('other?, **entries', 'Takes over the entries of another dict.', (self, args) => {
    for (const [key, value] of entriesOf(args[0] ?? new Dict())) self.set(key, value);
    for (const [key, value] of args.keywords) self.set(key, value);
    return null;
  }),
  pop: method<PyDict>('key, default?', 'Removes a key and gives its value.', (self, [key, fallback]) => {
    const value = firstDefined(mappingGet(self, key!), fallback);
    if (value === undefined) throw typeError(`there is no key ${pyRepr(key!)} to pop`);
    self.delete(key!);
    return value;
  }),
  popitem: method<PyDict>('', 'Removes the last entry and gives it.', (self) => {
    const last = [...self].at(-1);
    if (!last) throw typeError('popitem(): dictionary is empty');
    self.delete(last[0]);
    return new Tuple(last);
  }),
  setdefault: storing<PyDict>(
    'key, default?',
    'The value of a key, which is set when missing.',
    (self, [key, value]) => {
      const found = mappingGet(self, key!);
      if (found !== undefined) return found;
      self.set(key!, value ?? null);
      return value ?? null;
    },
  ),
  clear: method<PyDict>('', 'Removes all entries.', (self) => {
    self.clear();
    return null;
  }),
  __setitem__: storing<PyDict>('key, value', 'Sets a key.', (self, [key, value]) => {
    self.set(key!, value!);
    return null;
  }),
  __getitem__: method<PyDict>('key', 'The value of a key.', (self, [key]) => {
    const value = mappingGet(self, key!);
    if (value === undefined) throw typeError(`there is no key ${pyRepr(key!)}`);
    return value;
  }),
};

/** The entries of a dict, or of a list of pairs. */
export function entriesOf(value: Value): (readonly [Value, Value])[] {
  if (isMapping(value)) return [...value.keys()].map((key) => [key, mappingGet(value, key)!]);
  return items(value).map((pair, i) => {
    const parts = isString(pair) ? [] : items(pair);
    if (parts.length === 2) return [parts[0]!, parts[1]!];
    throw typeError(`element #${i} of the dictionary update sequence is no pair but ${shownType(pair)}`);
  });
}
