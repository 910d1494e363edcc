import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { coerceParams } from '../../../src/core/coerce.ts';
import type { Value } from '../../../src/jinja/values.ts';
import { blockinfileModule } from '../../../src/modules/blockinfile.ts';
import { iniFileModule } from '../../../src/modules/ini_file.ts';
import { changeBlock } from '../../../src/modules/lib/block-edit.ts';
import { changeIni } from '../../../src/modules/lib/ini-edit.ts';
import { lineAbsent, linePresent } from '../../../src/modules/lib/line-edit.ts';
import { lineinfileModule } from '../../../src/modules/lineinfile.ts';
import { replaceAll, replaceModule } from '../../../src/modules/replace.ts';
import { suite } from '../../support/harness.ts';

/** What ansible-core 2.14 made of a text with these parameters. */
interface Row {
  before: string;
  params: Record<string, Value>;
  after: string;
  msg: string;
  found?: number;
}

type Change = { text: string; msg: string; found?: number };
const t = suite('edits against ansible');

const edits: Record<string, (before: string, given: Record<string, Value>) => Change> = {
  lineinfile: (before, given) => {
    const { params } = coerceParams(lineinfileModule.params, given, { module: 'lineinfile' });
    return (params.state === 'absent' ? lineAbsent : linePresent)(before, params);
  },
  blockinfile: (before, given) =>
    changeBlock(before, coerceParams(blockinfileModule.params, given, { module: 'blockinfile' }).params),
  ini_file: (before, given) =>
    changeIni(before, coerceParams(iniFileModule.params, given, { module: 'ini_file' }).params),
  replace: (before, given) =>
    replaceAll(before, coerceParams(replaceModule.params, given, { module: 'replace' }).params),
};

for (const [name, edit] of Object.entries(edits))
  for (const { before, params, after, msg, found } of rows(name))
    t(`${name} ${JSON.stringify(before)} ${JSON.stringify(params)}`, () => {
      const change = edit(before, { path: '/x', ...params });
      assert.equal(change, { text: after, msg, ...(found === undefined ? {} : { found }) });
    });

t('a last line without an end is ended before another is put after it (ansible joins the two)', () =>
  assert.is(edits.lineinfile!('a\nc', { path: '/x', line: 'B', insertafter: '^c' }).text, 'a\nc\nB\n'),
);
t.run();

function rows(name: string): Row[] {
  return JSON.parse(readFileSync(new URL(`${name}/oracle.json`, import.meta.url), 'utf8'));
}
