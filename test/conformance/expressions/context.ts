import { Dict, makeFloat, type Value } from '../../../src/jinja/index.ts';
import type { Chance } from './random.ts';

/** Names by the type of what they hold; `undefined` ones hold nothing. */
export const names = {
  int: ['i', 'j', 'port'],
  float: ['f', 'g'],
  bool: ['on', 'off'],
  string: ['s', 't', 'version_', 'word'],
  ints: ['li', 'lj'],
  strings: ['ls', 'lt'],
  dicts: ['ld'],
  dict: ['d', 'e'],
  any: ['none_', 'mixed', 'deep'],
  undefined: ['missing'],
};

const words = [
  '',
  'a',
  'b',
  'abc',
  'ABC',
  'a b',
  'x-1',
  'node1',
  'v1.2.3',
  '42',
  '-7',
  '3.5',
  'true',
  'no',
  'é☃',
  'a,b,c',
  '/etc/x.conf',
  "it's",
  'say "hi"',
  ' pad ',
  'line\ntwo',
  '10.0.0.1',
];

const nasty = [
  '- x',
  '#',
  'a #b',
  'a: b',
  ':',
  '?',
  '? a',
  '[',
  ']',
  '{}',
  '!t',
  '&a',
  '*a',
  '%',
  '@',
  '`',
  '|',
  '>',
  'null',
  '~',
  'yes',
  '1e3',
  '0x1',
  '0o7',
  '012',
  '1_0',
  '12:30',
  '2024-01-01',
  '=',
  '<<',
  '---',
  '...',
  '-',
  'tab\there',
  ' x',
  'x ',
  'a\n',
  '\na',
  'a \nb',
  'a\n b',
  'a\n\nb',
  '\u0007',
  '\u0085',
  '\u00a0',
  '\ufeff',
  '😀',
  'long words that need to be folded because they do not fit into eighty columns at all',
  "it's a long text with 'quotes' in it: and colons, that must be folded somewhere around here, too",
  '\\',
  '"',
  "'",
];

/** Lists and dicts in each other, with the strings that YAML and JSON find hardest. */
function deepValue(c: Chance, depth: number): Value {
  if (depth === 0 || c.chance(0.4))
    return c.pick<() => Value>([
      () => c.pick(nasty),
      () => c.pick(words),
      () => c.below(100),
      () => null,
      () => c.chance(0.5),
    ])();
  if (c.chance(0.5)) return c.times(c.below(4), () => deepValue(c, depth - 1));
  return new Dict(c.times(c.below(4), () => [c.pick([...words, ...nasty]), deepValue(c, depth - 1)] as [Value, Value]));
}

/** Random variables, one of each name. */
export function randomVars(c: Chance): Map<string, Value> {
  const word = (): Value => c.pick(words);
  const int = (): Value => c.pick([0, 1, 2, 3, -1, 5, 10, 100, 8080, 255]);
  const float = (): Value => makeFloat(c.pick([0, 0.5, 1, 2.25, -1.5, 3, 100.125]));
  const entry = (): Value =>
    new Dict([['name', word()], ['v', int()], ...(c.chance(0.5) ? [['opt', c.chance(0.5)] as [Value, Value]] : [])]);
  const dict = (): Value =>
    new Dict([
      ['a', int()],
      ['b', word()],
      ['k', c.chance(0.5) ? null : c.times(2, int)],
      ['items', int()],
    ]);
  const vars = new Map<string, Value>();
  const put = (list: readonly string[], make: () => Value) => list.forEach((name) => void vars.set(name, make()));
  put(names.int, int);
  put(names.float, float);
  put(names.string, word);
  put(names.ints, () => c.times(c.below(5), int));
  put(names.strings, () => c.times(c.below(5), word));
  put(names.dicts, () => c.times(c.below(4), entry));
  put(names.dict, dict);
  vars.set('on', true).set('off', c.chance(0.5)).set('none_', null);
  vars.set('deep', deepValue(c, 4));
  return vars.set('mixed', [int(), word(), null, c.chance(0.5), float(), c.times(2, int)]);
}
