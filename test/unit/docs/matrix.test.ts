import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { fast, flavours, loginShells, product, ways } from '../../matrix/support/cells.ts';
import { matrixText } from '../../matrix/support/table.ts';
import { suite } from '../../support/harness.ts';

const test = suite('docs/matrix.md');

test('is the table of the cells that the matrix suite proves', () => {
  const path = fileURLToPath(new URL('../../../docs/matrix.md', import.meta.url));
  assert.is(readFileSync(path, 'utf8'), matrixText(), 'npm run matrix writes it');
});

test('the fast part has each login shell, way and flavour', () => {
  assert.is(product.length, loginShells.length * ways.length * Object.keys(flavours).length);
  const has = (key: 'login' | 'way' | 'flavour') => [...new Set(fast.map((cell) => cell[key]))].sort();
  assert.equal(has('login'), [...loginShells].sort());
  assert.equal(has('way'), ways.map(({ name }) => name).sort());
  assert.equal(has('flavour'), Object.keys(flavours).sort());
});

test.run();
