import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { lint } from '../../../src/cli/lint.ts';
import { schemaText } from '../../../src/cli/schema.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';
import { editor } from './support/editor.ts';

const broken = suite('broken playbooks');
const folder = new URL('./broken/', import.meta.url).pathname;
/** They are kept under another name so that no formatter sees them. */
const playbooks = tempFolder('broken');
const flags = editor(schemaText('playbook'));

/*
 * One thing is wrong in each, on the line marked `# <-`. `# lint:` says what lint says of it; `# schema:` why no
 * schema could see it, without which an editor that has the schema must flag the same line before any other.
 */
const files = readdirSync(folder)
  .sort()
  .map((name) => ({ name, text: readFileSync(folder + name, 'utf8') }));

broken('there are 30 and more, and a schema can see most', () => {
  const seen = files.filter(({ text }) => !why(text));
  assert.ok(files.length >= 30 && seen.length >= 30, `${files.length}, ${seen.length}`);
});

for (const { name, text } of files) {
  broken(`lint flags ${name} at its line`, () => {
    const file = name.replace(/txt$/, 'yml');
    writeFileSync(join(playbooks, file), text);
    const found = lint([file], playbooks).errors.map(({ message, facts }) => ({
      line: facts.origin?.line,
      says: facts.nearest ? `${message}; did you mean '${facts.nearest}'?` : message,
    }));
    const said = /^# lint: (.*)$/m.exec(text)?.[1] ?? 'no such line';
    assert.ok(
      found.some(({ line, says }) => line === lineOf(text) && says.includes(said)),
      JSON.stringify(found),
    );
  });
  broken(`an editor with the schema flags ${name} at its line, if a schema can`, async () => {
    const [first] = await flags(text);
    if (why(text)) assert.is(first, undefined);
    else assert.is(first?.line, lineOf(text), JSON.stringify(first));
  });
}

broken('an editor flags nothing in what is shipped', async () => {
  for (const file of ['bench/site.yml', ...yamlFiles('playbooks')])
    assert.equal(await flags(readFileSync(file, 'utf8')), [], file);
});

broken('lint finds nothing in what is shipped', () => {
  const { files: count, errors, warnings } = lint(['playbooks', 'inventory', 'bench/site.yml'], process.cwd());
  assert.equal([errors, warnings], [[], []]);
  assert.ok(count >= 3);
});

broken.run();

function lineOf(text: string): number {
  return text.split('\n').findIndex((line) => line.includes('# <-')) + 1;
}

function why(text: string): string | undefined {
  return /^# schema: (.*)$/m.exec(text)?.[1];
}

/** Playbooks of the folder itself; those below are roles and lists of tasks. */
function yamlFiles(dir: string): string[] {
  const found = readdirSync(dir).filter((name) => /\.ya?ml$/.test(name));
  return found
    .map((name) => `${dir}/${name}`)
    .filter((file) => /^[- ] (hosts|import_playbook):/m.test(readFileSync(file, 'utf8')));
}
