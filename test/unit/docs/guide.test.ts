import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { differs, moves } from '../../support/guide.ts';
import { suite } from '../../support/harness.ts';

const guide = suite('the guide');
const folder = 'docs/guide';
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));

guide('its commands, what they print, files and exit codes are read from a page', () => {
  const page =
    'See:\n\n```console\n$ a b\nout …\n$ c\n```\n<!-- not run: no -->\n```console\n$ d\n```\n<!-- exit code 2 -->\n```console\n$ e\n```\n<!-- file: x.yml -->\n```yaml\nk: v\n```\n';
  assert.equal(moves(page), [
    { kind: 'run', command: 'a b', line: 4, exit: 0, shown: ['out …'] },
    { kind: 'run', command: 'c', line: 6, exit: 0, shown: [] },
    { kind: 'run', command: 'e', line: 14, exit: 2, shown: [] },
    { kind: 'write', file: 'x.yml', text: 'k: v\n', line: 17 },
  ]);
});

guide('what is printed is compared, dots stand for what differs', () => {
  assert.is(differs([], 'anything'), undefined);
  assert.is(differs(['a … c', '…', 'z'], 'a b c\nd\ne\nz\n'), undefined);
  assert.is(differs(['a (1)', '…'], 'a (1)\n'), undefined);
  for (const other of ['a b\nz\n', 'a b c\nz\nmore\n', 'x\na b c\nz\n'])
    assert.match(differs(['a … c', '…', 'z'], other) ?? '', /printed:/);
});

guide('nothing is left out without a reason, and its links lead somewhere', () => {
  for (const page of pages) {
    const text = readFileSync(join(folder, page), 'utf8');
    const blocks = text.match(/^```console$/gm)?.length ?? 0;
    const skipped = text.match(/^<!-- not run: .{10,} -->$/gm)?.length ?? 0;
    assert.ok(skipped <= 1, page);
    if (blocks > skipped) assert.ok(moves(text).length >= blocks - skipped, page);
    for (const [, link = ''] of text.matchAll(/\]\(([^)#]+)/g))
      assert.ok(existsSync(join(folder, link)), `${page}: ${link}`);
  }
});

guide('every page is in its table of contents', () => {
  const contents = readFileSync(join(folder, 'README.md'), 'utf8');
  for (const page of pages) if (page !== 'README.md') assert.ok(contents.includes(`(${page})`), page);
  assert.is(dirname(folder), 'docs');
});

guide.run();
