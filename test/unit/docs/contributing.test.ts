import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../../support/harness.ts';

/** One file of the example: a new one, or one that lines were added to. */
interface Change {
  path: string;
  /** Lines as they are after the change, a list for each hunk. */
  hunks: string[][];
}

const contributing = suite('the guide for contributors');
const block = /```diff\n(--- (\S+)\n\+\+\+ b\/(\S+)\n[\s\S]*?)```\n/g;
const guide = () => readFileSync('CONTRIBUTING.md', 'utf8');

contributing('its example is the whole diff of a module', () => {
  assert.equal(
    changesOf(guide()).map(({ path }) => path),
    [
      'src/modules/timezone.ts',
      'src/modules/registry.ts',
      'test/unit/modules/timezone/timezone.yaml',
      'test/unit/modules/again.ts',
      'test/lab/every-module/site.yaml',
    ],
  );
});

contributing('new files of the example are as they are here', () => {
  const wanted = guide().replace(block, (whole, _diff, from, path) => (from === '/dev/null' ? newFile(path) : whole));
  if (process.env.KPUSH_GOLDEN === 'write') writeFileSync('CONTRIBUTING.md', wanted);
  assert.is(guide() === wanted, true, 'run this test with KPUSH_GOLDEN=write');
});

contributing('lines the example adds to other files are there, in that order', () => {
  assert.equal(changesOf(guide()).flatMap(untrue), []);
});

contributing('paths it names are there', () => {
  const named = [...guide().matchAll(/`((?:src|test|docs|scripts)\/[\w./-]+)`|\]\(([\w./-]+)\)/g)];
  const paths = named.map(([, code, link]) => code ?? link!);
  assert.ok(paths.length > 10);
  assert.equal(
    paths.filter((path) => !existsSync(path)),
    [],
  );
});

contributing('the checks catch what they are for', () => {
  const wrong = (hunk: string[]) => untrue({ path: 'src/modules/registry.ts', hunks: [hunk] }).length;
  assert.is(wrong(['  templateModule,', '  timezoneModule,']), 0);
  assert.is(wrong(['  timezoneModule,', '  templateModule,']), 1);
  assert.is(wrong(['  nothingModule,']), 1);
});

contributing.run();

function changesOf(text: string): Change[] {
  return [...text.matchAll(block)].map(([, diff, , path]) => {
    const hunks = diff!.split(/^@@ .*\n/m).slice(1);
    return { path: path!, hunks: hunks.map(after) };
  });
}

function after(hunk: string): string[] {
  const lines = hunk.replace(/\n$/, '').split('\n');
  return lines.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
}

function newFile(path: string): string {
  const lines = readFileSync(path, 'utf8').replace(/\n$/, '').split('\n');
  const added = lines.map((line) => `+${line}\n`).join('');
  return `\`\`\`diff\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${added}\`\`\`\n`;
}

/** Others may add lines in between: only the order is compared. */
function untrue({ path, hunks }: Change): string[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return hunks.flatMap((hunk) => {
    let at = 0;
    const lost = hunk.find((line) => {
      at = lines.indexOf(line, at) + 1;
      return at === 0;
    });
    return lost === undefined ? [] : [`${path}: ${lost}`];
  });
}
