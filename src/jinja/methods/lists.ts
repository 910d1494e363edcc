import { checkItems } from '../budget.ts';
import { typeError } from '../errors.ts';
import { equals, isTrue } from '../python/compare.ts';
import { pyRepr } from '../python/repr.ts';
import { items } from '../python/sequence.ts';
import { sorted } from '../python/sort.ts';
import { isInt, type Value } from '../values.ts';
import { method, storing } from './define.ts';

type List = Value[];
type Items = readonly Value[];

const index = method<Items>('value, start?, stop?', 'The position of a value.', (self, [value, start, stop]) => {
  const low = offset(start ?? 0, self.length);
  const high = offset(stop ?? self.length, self.length);
  const found = self.findIndex((item, i) => i >= low && i < high && equals(item, value!));
  if (found < 0) throw typeError(`${pyRepr(value!)} is not in list`);
  return found;
});
const count = method<Items>('value', 'How often a value occurs.', (self, [value]) => {
  return self.filter((item) => equals(item, value!)).length;
});

export const tupleMethods = { index, count };

export const listMethods = {
  index,
  count,
  append: storing<List>('value', 'Adds a value at the end.', (self, [value]) => {
    checkItems(self.length + 1);
    self.push(value!);
    return null;
  }),
  extend: storing<List>('values', 'Adds the items of another list.', (self, [values]) => {
    const added = items(values!);
    checkItems(self.length + added.length);
    self.push(...added);
    return null;
  }),
  insert: storing<List>('position, value', 'Adds a value before a position.', (self, [position, value]) => {
    self.splice(offset(position!, self.length), 0, value!);
    return null;
  }),
  pop: method<List>(
    'position?',
    'Removes the last item, or the one at a position, and gives it.',
    (self, [position]) => {
      const at = position === undefined ? self.length - 1 : offset(position, self.length);
      const [value] = self.splice(at, 1);
      if (value === undefined) throw typeError(self.length === 0 ? 'pop from empty list' : 'pop index out of range');
      return value;
    },
  ),
  remove: method<List>('value', 'Removes the first item that equals a value.', (self, [value]) => {
    const at = self.findIndex((item) => equals(item, value!));
    if (at < 0) throw typeError('list.remove(x): x not in list');
    self.splice(at, 1);
    return null;
  }),
  reverse: method<List>('', 'Turns the list around.', (self) => {
    self.reverse();
    return null;
  }),
  sort: method<List>('*, key?, reverse?', 'Sorts the list.', (self, [, reverse]) => {
    self.splice(0, self.length, ...sorted(self, (item) => item, isTrue(reverse ?? false)));
    return null;
  }),
  copy: method<List>('', 'A copy of the list.', (self) => [...self]),
  clear: method<List>('', 'Removes all items.', (self) => {
    self.length = 0;
    return null;
  }),
};

function offset(position: Value, size: number): number {
  if (!isInt(position)) throw typeError('a position must be an int');
  const at = Number(position);
  return Math.min(size, Math.max(0, at < 0 ? at + size : at));
}
