import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { findModule } from '../../../src/modules/registry.ts';
import { suite } from '../../support/harness.ts';
import { planAgain, plannedAgain } from './again.ts';
import { type ModuleCase, runCase } from './run-case.ts';

/** Every `<module>/*.yaml` beside this file holds cases of that module. */
const folder = new URL('.', import.meta.url).pathname;
const cases = suite('module cases');

for (const name of readdirSync(folder).filter((entry) => statSync(join(folder, entry)).isDirectory())) {
  const module = findModule(name);
  for (const file of readdirSync(join(folder, name)).filter((entry) => entry.endsWith('.yaml')))
    for (const test of parse(readFileSync(join(folder, name, file), 'utf8'), { merge: true }) as ModuleCase[])
      cases(`${name}: ${test.name}`, () => {
        if (!module) throw new Error(`no module ${name}`);
        const wrong = runCase(module as never, test);
        assert.equal(wrong, []);
        const again = plannedAgain.has(name) ? planAgain(module as never, test) : undefined;
        if (again !== undefined) assert.match(again, new RegExp(`^${test.again ?? 'nothing'}`));
      });
}
cases.run();
