import { aliases, type TestTable, test } from '../definitions.ts';
import { typeError } from '../errors.ts';
import { equals, isTrue } from '../python/compare.ts';
import { mappingGet } from '../python/dict.ts';
import { need } from '../python/types.ts';
import { isMapping, type LazyDict, type PyDict, type Value } from '../values.ts';

type Mapping = PyDict | LazyDict;

/** Tests of what a task registered. */
export const resultTests: TestTable = {
  ...aliases(
    'failed failure',
    test('', 'The task failed.', (value) => flag(value, 'failed')),
  ),
  ...aliases(
    'succeeded success successful',
    test('', 'The task did not fail.', (value) => !flag(value, 'failed')),
  ),
  ...aliases(
    'changed change',
    test('', 'The task, or one of its loop turns, changed something.', (value) => changed(result(value))),
  ),
  ...aliases(
    'skipped skip',
    test('', 'The task was skipped.', (value) => flag(value, 'skipped')),
  ),
  unreachable: test('', 'The host could not be reached.', (value) => flag(value, 'unreachable')),
  reachable: test('', 'The host could be reached.', (value) => !flag(value, 'unreachable')),
  started: test('', 'The asynchronous task has started.', (value) => state(value, 'started')),
  finished: test('', 'The asynchronous task has ended.', (value) => state(value, 'finished')),
};

function result(value: Value): Mapping {
  if (isMapping(value)) return value;
  need(value);
  throw typeError('tests of results need what a task registered, a dictionary');
}

function flag(value: Value, key: string): boolean {
  return isTrue(mappingGet(result(value), key) ?? false);
}

function changed(registered: Mapping): boolean {
  const own = mappingGet(registered, 'changed');
  if (own !== undefined) return isTrue(own);
  const results = mappingGet(registered, 'results');
  if (!Array.isArray(results) || !isMapping(results[0])) return false;
  return results.some((turn) => isMapping(turn) && isTrue(mappingGet(turn, 'changed') ?? false));
}

function state(value: Value, key: string): boolean {
  const found = mappingGet(result(value), key);
  return found === undefined || equals(found, 1);
}
