import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { coerceParams } from '../../../../src/core/coerce.ts';
import type { Value } from '../../../../src/jinja/values.ts';
import { lineAbsent, linePresent } from '../../../../src/modules/lib/line-edit.ts';
import { lineinfileModule } from '../../../../src/modules/lineinfile.ts';
import { suite } from '../../../support/harness.ts';

/** What ansible-core 2.14 did with these texts and parameters. */
interface Row {
  before: string;
  params: Record<string, Value>;
  after: string;
  msg: string;
  found?: number;
}

const t = suite('lineinfile against ansible');
const rows = JSON.parse(readFileSync(new URL('oracle.json', import.meta.url), 'utf8')) as Row[];

for (const { before, params, after, msg, found } of rows)
  t(`${JSON.stringify(before)} ${JSON.stringify(params)}`, () => {
    const given = coerceParams(lineinfileModule.params, { path: '/x', ...params }, { module: 'lineinfile' }).params;
    const change = (given.state === 'absent' ? lineAbsent : linePresent)(before, given);
    assert.equal(change, { text: after, msg, ...(found === undefined ? {} : { found }) });
  });

t('a last line without an end is ended before another is put after it (ansible joins the two)', () => {
  const given = coerceParams(lineinfileModule.params, { path: '/x', line: 'B', insertafter: '^c' }, { module: 'x' });
  assert.is(linePresent('a\nc', given.params).text, 'a\nc\nB\n');
});
t.run();
