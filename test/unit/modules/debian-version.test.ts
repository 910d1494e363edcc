import { spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { compareDebianVersions } from '../../../src/modules/lib/debian-version.ts';
import { suite } from '../../support/harness.ts';

const versions = suite('Debian versions');

/** Ascending, apart from what stands in one row. */
const order = [
  ['0~~'],
  ['0~'],
  ['0', '0-0', '00', '0:0'],
  ['0-1'],
  ['0.0'],
  ['1.0~rc1'],
  ['1.0', '1.0-0', '01.00'],
  ['1.0-1'],
  ['1.0-1ubuntu1~20.04'],
  ['1.0-1ubuntu1'],
  ['1.0-1.1'],
  ['1.0+b1'],
  ['1.0.1'],
  ['1.4.21-1'],
  ['1.18~'],
  ['1.18'],
  ['1.20.2-00'],
  ['1.20.10-00'],
  ['1.20.10a-00'],
  ['1.20.10+dfsg-1'],
  ['5.2.15-2+b8'],
  ['5.2.15-2+b13'],
  ['20200120'],
  ['100000000000000000000000000001'],
  ['1:0'],
  ['1:0.1-2'],
  ['2:1.0~rc1'],
];

versions('sort as in the table', () => {
  const flat = order.flatMap((row, index) => row.map((text) => ({ text, index })));
  for (const a of flat)
    for (const b of flat)
      assert.is(
        Math.sign(compareDebianVersions(a.text, b.text)),
        Math.sign(a.index - b.index),
        `${a.text} / ${b.text}`,
      );
});

versions('the table is as dpkg has it', () => {
  const pairs = order.slice(1).map((row, index) => [order[index]![0]!, row[0]!] as const);
  const same = order.flatMap((row) => row.slice(1).map((text) => [row[0]!, text] as const));
  const lines = [
    ...pairs.map(([a, b]) => `dpkg --compare-versions '${a}' lt '${b}' || echo '${a} lt ${b}'`),
    ...same.map(([a, b]) => `dpkg --compare-versions '${a}' eq '${b}' || echo '${a} eq ${b}'`),
  ];
  const run = spawnSync('sh', ['-s'], { input: lines.join('\n'), encoding: 'utf8' });
  assert.is(run.stdout + run.stderr, '');
});

versions.run();
