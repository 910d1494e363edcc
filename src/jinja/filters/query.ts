import { search } from 'jmespath';
import { fromPlain } from '../python/convert.ts';
import { mappingGet } from '../python/dict.ts';
import { pyStr } from '../python/repr.ts';
import { iterable } from '../python/sequence.ts';
import { text } from '../python/text.ts';
import { need } from '../python/types.ts';
import { stringOf } from './helpers.ts';
import { type FilterTable, Float, filter, isMapping, isString, typeError, type Value } from './types.ts';

export const queryFilters: FilterTable = {
  json_query: filter('expr', 'What a JMESPath expression finds.', (value, [expression]) => {
    const source = stringOf(expression, 'the JMESPath expression');
    const document = bare(value);
    try {
      return fromPlain(search(document, source));
    } catch (error) {
      throw typeError(`json_query '${source}': ${error instanceof Error ? error.message : String(error)}`);
    }
  }),
};

/** The value as JavaScript objects without prototypes: the library looks names up on them. */
function bare(value: Value): unknown {
  need(value);
  if (isString(value)) return text(value);
  if (value instanceof Float) return value.value;
  if (isMapping(value)) return bareObject([...value.keys()].map((key) => [key, mappingGet(value, key)!]));
  return typeof value === 'object' && value !== null ? (iterable(value)?.map(bare) ?? pyStr(value)) : value;
}

function bareObject(entries: [Value, Value][]): object {
  const result: Record<string, unknown> = Object.create(null);
  for (const [key, value] of entries) result[pyStr(key)] = bare(value);
  return result;
}
