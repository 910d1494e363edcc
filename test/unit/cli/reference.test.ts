import { readFileSync, writeFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { completionScript, type Shell } from '../../../src/cli/completion-script.ts';
import type { Io } from '../../../src/cli/io.ts';
import { createOutput } from '../../../src/cli/output.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { referenceText } from '../../../src/cli/reference.ts';
import { suite } from '../../support/harness.ts';

const reference = suite('help, completion and reference');
const { stdin, stdout, stderr } = process;
const io: Io = { env: {}, cwd: '/', stdin, stdout, stderr, loadRun: () => Promise.reject(new Error('not here')) };
const program = createProgram(io, createOutput(io), () => {});
const options = program.commands.flatMap((command) => command.options.map((option) => ({ command, option })));

reference('docs/cli.md holds the reference as declared', () => {
  const text = readFileSync('docs/cli.md', 'utf8');
  const heading = '\n## Commands\n\n';
  const own = text.slice(0, text.indexOf(heading) + heading.length);
  const wanted = `${own}${referenceText(program)}`;
  if (process.env.KPUSH_GOLDEN === 'write') writeFileSync('docs/cli.md', wanted);
  assert.is(readFileSync('docs/cli.md', 'utf8') === wanted, true, 'docs/cli.md is not up to date');
});

reference('every option is in the help of its command and in the reference, with a description', () => {
  const text = referenceText(program);
  for (const { command, option } of options) {
    assert.ok(command.helpInformation().includes(option.flags), `${command.name()} ${option.flags}`);
    assert.ok(text.includes(`\`${option.flags}\``), option.flags);
    assert.ok(option.description.length > 3, option.flags);
  }
});

reference('the help of every command says in a line what it is, and has examples of itself', () => {
  for (const command of program.commands) {
    let text = '';
    command.configureOutput({ writeOut: (more) => (text += more) }).outputHelp();
    assert.match(text, new RegExp(`\\nExamples:\\n {2}kpush ${command.name()}\\b`), command.name());
    assert.ok(command.summary().length > 5 && command.summary().length < 66, command.name());
    assert.ok(command.description().endsWith('.'), command.name());
  }
});

for (const shell of ['bash', 'zsh', 'fish'] as Shell[])
  reference(`every command and option is in the completion for ${shell}`, () => {
    const script = completionScript(shell, program);
    for (const command of program.commands) assert.match(script, new RegExp(`\\b${command.name()}\\b`));
    for (const { option } of options) {
      const long = option.long ?? '';
      assert.ok(script.includes(shell === 'fish' ? `-l ${long.slice(2)}` : long), `${shell} ${long}`);
    }
  });

reference('one meaning a name: an option reads alike in every command that has it', () => {
  const seen = new Map<string, string>();
  for (const { command, option } of options) {
    const known = seen.get(option.flags) ?? option.description;
    seen.set(option.flags, known);
    assert.ok(known === option.description, `${command.name()} ${option.flags}`);
  }
});

reference.run();
