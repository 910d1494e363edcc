import * as assert from 'uvu/assert';
import type { KpushError } from '../../../src/core/errors.ts';
import type { RunControl } from '../../../src/core/options.ts';
import { loadPlaybook } from '../../../src/load/playbook.ts';
import { createEvaluator } from '../../../src/resolve/evaluator.ts';
import { readExtraVars } from '../../../src/resolve/extra-vars.ts';
import { loadInventory } from '../../../src/resolve/inventory-load.ts';
import { playPoint } from '../../../src/resolve/waves.ts';
import { askPrompts } from '../../../src/run/prompts.ts';
import { suite } from '../../support/harness.ts';
import { memorySources } from '../load/support/memory-files.ts';
import { modules } from '../load/support/modules.ts';

const test = suite('run/prompts');

interface Given {
  extra?: string[];
  answers?: string[];
  syntaxCheck?: boolean;
}

/** The answers of a play with these prompts, with what was asked and veiled. */
async function ask(prompts: string, { extra = [], answers, syntaxCheck = false }: Given = {}) {
  const sources = memorySources({
    'h.yml': 'all: {hosts: {h1: {}}}\n',
    'p.yml': `- hosts: all\n  vars_prompt:\n${prompts}  tasks: []\n`,
  });
  const { playbook } = loadPlaybook('p.yml', { sources, modules });
  const asked: [string, boolean][] = [];
  const concealed: string[] = [];
  const prompt: RunControl['prompt'] = async (text, { secret }) => {
    asked.push([text, secret]);
    return answers!.shift() ?? '';
  };
  const control = { conceal: (text: string) => void concealed.push(text), ...(answers ? { prompt } : {}) };
  const extraVars = readExtraVars(extra, sources);
  const prompted = await askPrompts(playbook, extraVars, { syntaxCheck }, control);
  const evaluator = createEvaluator({ inventory: loadInventory(['h.yml'], sources), sources, prompted });
  const play = playbook.plays[0]!;
  const variable = (name: string) => evaluator.variable(name, { ...playPoint(play), host: 'h1' });
  return { asked, concealed, variable };
}

async function refused(prompts: string, given: Given = {}): Promise<KpushError> {
  try {
    await ask(prompts, given);
  } catch (error) {
    return error as KpushError;
  }
  throw new Error('was not refused');
}

test('an answer is the variable; a private one is not echoed and is veiled', async () => {
  const { asked, concealed, variable } = await ask('    - {name: a, prompt: Your word}\n', { answers: ['hush-hush'] });
  assert.equal(asked, [['Your word: ', true]]);
  assert.equal(concealed, ['hush-hush']);
  assert.is(variable('a'), 'hush-hush');
});

test('an empty answer is the default, which is shown where it is no secret', async () => {
  const { asked, concealed, variable } = await ask('    - {name: a, default: 1.20, private: no}\n', { answers: [''] });
  assert.equal(asked, [['a [1.20]: ', false]]);
  assert.equal(concealed, []);
  assert.is(variable('a'), '1.20');
});

test('confirm asks again until both are the same', async () => {
  const { asked, variable } = await ask('    - {name: a, confirm: yes}\n', { answers: ['x1', 'x2', 'y', 'y'] });
  assert.equal(
    asked.map(([text]) => text),
    ['a: ', 'confirm a: ', 'the two differ; a: ', 'confirm a: '],
  );
  assert.is(variable('a'), 'y');
});

test('what -e gives is not asked', async () => {
  const { asked } = await ask('    - {name: a}\n    - {name: b}\n', { extra: ['a=1'], answers: ['2'] });
  assert.equal(
    asked.map(([text]) => text),
    ['b: '],
  );
});

test('without a terminal the default answers', async () => {
  const { variable } = await ask('    - {name: a, default: d}\n');
  assert.is(variable('a'), 'd');
});

test('without a terminal and a default it is an error with its place', async () => {
  const error = await refused('    - name: a\n');
  assert.is(error.message, "'a' is asked for, but there is no terminal to ask at");
  assert.equal([error.facts.origin?.file, error.facts.origin?.line], ['p.yml', 3]);
});

test('where nothing runs nothing is asked', async () => {
  const { asked } = await ask('    - name: a\n', { syntaxCheck: true, answers: [] });
  assert.equal(asked, []);
});

test('encrypt is refused, with what to do instead', async () => {
  const error = await refused('    - {name: a, encrypt: sha512_crypt}\n', { answers: ['x'] });
  assert.is(error.message, "vars_prompt's 'encrypt' is not supported");
  assert.match(error.facts.hint ?? '', /password_hash/);
});
test.run();
