import stringWidth from 'string-width';
import * as assert from 'uvu/assert';
import { createStyle } from '../../../src/report/style.ts';
import { wrapLine, wrapLines } from '../../../src/report/wrap.ts';
import { suite } from '../../support/harness.ts';

const wrap = suite('lines wrapped to a window');
const text = '    ✖ Start kubelet  h[1:3]  playbooks/site.yml:12:7 and a reason of some words that goes on';

wrap('what fits is as it was', () => {
  assert.equal(wrapLine('  two  words', 12), ['  two  words']);
  assert.equal(wrapLine(text, undefined), [text]);
});

wrap('no line is wider than the window, no word is lost or cut', () => {
  for (let columns = 40; columns < 120; columns++) {
    const lines = wrapLine(text, columns);
    for (const line of lines) assert.ok(stringWidth(line) <= columns, `${columns}: ${line}`);
    assert.equal(lines.join(' ').split(/\s+/), text.split(/\s+/));
  }
});

wrap('what follows stands deeper', () => assert.equal(wrapLine('  one two three', 11), ['  one two', '      three']));

wrap('a word longer than the window stays whole', () =>
  assert.equal(wrapLine(`  see ${'x'.repeat(50)} there`, 40), ['  see', `      ${'x'.repeat(50)}`, '      there']),
);

wrap('colours take no room and go on in the next line', () => {
  const { red } = createStyle({ color: true, unicode: true });
  const lines = wrapLine(`  ${red('one two three four')}`, 12);
  assert.is(lines.join('\n').replaceAll(/\x1b\[\d+m/g, ''), '  one two\n      three\n      four');
});

wrap('wide characters count twice', () =>
  assert.equal(wrapLine('日本語 日本語 日本語', 14), ['日本語 日本語', '    日本語']),
);

wrap('lines of a text are wrapped each', () => assert.equal(wrapLines(['a\n  b'], 40), ['a', '  b']));

wrap.run();
