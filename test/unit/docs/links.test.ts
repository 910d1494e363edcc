import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../support/harness.ts';

const links = suite('links of the documents');
const pages = readdirSync('.', { withFileTypes: true }).flatMap(pagesIn);

links('what a page leads to is told apart from the web, anchors and examples', () => {
  const page =
    '[a](b.md#c) ![i](i/x.svg "t") [w](https://example.org/x) [h](#here) <img src="y.png">\n\n[r]: ../r.md\n' +
    'see `docs/z.md`\n```md\n[no](no.md)\n```\n';
  assert.equal(ledTo('d/p.md', page), ['d/b.md', 'd/i/x.svg', 'd/y.png', 'r.md', 'docs/z.md']);
});

links('every one leads to a file that is there', () => {
  assert.ok(pages.includes('README.md') && pages.includes('SECURITY.md'));
  const dead = pages.flatMap((page) =>
    ledTo(page, readFileSync(page, 'utf8')).flatMap((path) => (existsSync(path) ? [] : [`${page}: ${path}`])),
  );
  assert.equal(dead, []);
});

links.run();

/** Without git: a release is unpacked without its history. */
function pagesIn(entry: Dirent): string[] {
  const isOurs = !entry.name.startsWith('.') && !['node_modules', 'dist'].includes(entry.name);
  if (!entry.isDirectory() || !isOurs) return entry.name.endsWith('.md') ? [entry.name] : [];
  const names = readdirSync(entry.name, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.md')).map((name) => join(entry.name, name));
}

/** Relative links and images, from the page's own folder, and documents named in code words, from the root. */
function ledTo(page: string, text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
  const written = [/\]\(([^)\s]+)/g, /\b(?:src|href)="([^"]+)"/g, /^\[[^\]]+\]:\s+(\S+)/gm];
  const targets = written.flatMap((form) => [...prose.matchAll(form)].map(([, target = '']) => target));
  const relative = targets.filter((target) => !/^(?:[a-z]+:|#|\/\/)/i.test(target));
  const named = [...prose.matchAll(/`(docs\/[\w./-]+\.(?:md|yaml|svg|png))`/g)].map(([, path = '']) => path);
  return [...relative.map((target) => join(dirname(page), target.replace(/#.*$/, ''))), ...named];
}
