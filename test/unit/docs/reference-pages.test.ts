import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { referencePages } from '../../../src/cli/reference-pages/index.ts';
import { taskKeywords } from '../../../src/load/keywords.ts';
import { modules } from '../../../src/modules/registry.ts';
import { suite } from '../../support/harness.ts';

const pages = suite('docs/reference');
const folder = 'docs/reference';

for (const [name, text] of Object.entries(referencePages()))
  pages(`${name} is as the code declares`, () => {
    if (process.env.KPUSH_GOLDEN === 'write') {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    assert.is(readFileSync(join(folder, name), 'utf8') === text, true, 'KPUSH_GOLDEN=write makes it');
  });

pages('every module, parameter and keyword is there', () => {
  const { 'modules.md': all = '', 'keywords.md': keywords = '' } = referencePages();
  for (const { name, params } of modules) {
    const from = all.indexOf(`### ${name}\n`);
    const section = all.slice(from, all.indexOf('\n### ', from + 5));
    assert.ok(from >= 0, name);
    for (const param of Object.keys(params)) assert.ok(section.includes(`| \`${param}\` |`), `${name} ${param}`);
  }
  for (const name of Object.keys(taskKeywords)) assert.ok(keywords.includes(`| \`${name}\` |`), name);
});

pages('no line of the tables of templates is empty', () => {
  const rows = referencePages()
    ['templates.md']!.split('\n')
    .filter((line) => line.startsWith('| `'));
  assert.ok(rows.length > 200);
  assert.equal(
    rows.filter((row) => /\|\s+\|$/.test(row)),
    [],
  );
});

pages.run();
