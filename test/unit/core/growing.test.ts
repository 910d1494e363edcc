import * as assert from 'uvu/assert';
import { Chain } from '../../../src/core/chain.ts';
import { withEntry } from '../../../src/core/overlaid.ts';
import { suite } from '../../support/harness.ts';

const test = suite('core/growing');

test('a chain keeps its order, and what was there before', () => {
  const one = Chain.of('a');
  const two = one.with('b', 'c').with().with('d');
  assert.equal([one.toArray(), [...two], two.length], [['a'], ['a', 'b', 'c', 'd'], 4]);
});

test('a map with entries set is what a copied Map would be', () => {
  let [grown, plain]: ReadonlyMap<string, number>[] = [new Map([['first', 0]]), new Map([['first', 0]])];
  for (let n = 0; n < 300; n++) {
    const key = n % 7 === 0 ? 'first' : `k${n % 150}`;
    grown = withEntry(grown!, key, n);
    plain = new Map([...plain!, [key, n]]);
    assert.equal([...grown], [...plain]);
    assert.equal([grown.size, grown.get(key), grown.has('none')], [plain.size, n, false]);
  }
  const seen: [string, number][] = [];
  grown!.forEach((value, key) => {
    seen.push([key, value]);
  });
  assert.equal(seen, [...plain!]);
  assert.equal([...grown!.keys(), ...grown!.values()], [...plain!.keys(), ...plain!.values()]);
});

test('the map before is as it was', () => {
  const before = withEntry(new Map(), 'a', 1);
  withEntry(before, 'a', 2);
  assert.is(before.get('a'), 1);
});

test.run();
