import * as assert from 'uvu/assert';
import { moduleTable, nameTable } from '../../../src/cli/tables.ts';
import { builtinModules } from '../../../src/load/builtins.ts';
import { suite } from '../../support/harness.ts';
import { moduleShares, usedFilters, usedLookups, usedTests } from './frequencies.data.ts';

const frequencies = suite('what playbooks use');

frequencies(
  'modules that kpush has are 96 % of the tasks counted, and only one that people wrote themselves is missing',
  () => {
    const all = Object.entries(moduleShares);
    const missing = all.filter(([name]) => !moduleTable.find(name) && !builtinModules.has(name));
    const counted = all.reduce((sum, [, share]) => sum + share, 0);
    const lost = missing.reduce((sum, [, share]) => sum + share, 0);
    assert.equal(
      missing.map(([name]) => name),
      ['kube'],
    );
    assert.ok((counted - lost) / counted >= 0.96, `${counted} ${lost}`);
  },
);

frequencies('every filter, test and lookup that was found', () => {
  const table = nameTable();
  const missing = [
    ...usedFilters.filter((name) => !table.has('filter', name)),
    ...usedTests.filter((name) => !table.has('test', name)),
    ...usedLookups.filter((name) => !table.has('lookup', name)),
  ];
  assert.equal(missing, []);
});

frequencies.run();
