import { type Command, CommanderError } from 'commander';
import { checkWaits } from '../core/waits.ts';
import { reportErrors } from './errors.ts';
import type { Io } from './io.ts';
import { styleFor } from './look.ts';
import { aliases } from './option-groups.ts';
import { createOutput } from './output.ts';
import { createPlaybookProgram, createProgram } from './program.ts';

/** Reads a command line and does it; resolves to the exit code. `entry` is the name kpush was called by. */
export async function cli(argv: readonly string[], io: Io, entry: 'kpush' | 'kpush-playbook'): Promise<number> {
  const output = createOutput(io);
  let exit = 0;
  const done = (code: number) => {
    exit = code;
  };
  const program = entry === 'kpush' ? createProgram(io, output, done) : createPlaybookProgram(io, output, done);
  const abbreviable = entry === 'kpush' ? [] : [...longNames(program), ...Object.keys(aliases)];
  try {
    checkWaits(io.env.KPUSH_WAITS);
    await program.parseAsync(withoutAliases(argv, abbreviable), { from: 'user' });
  } catch (error) {
    exit = failed(error, io, output);
  }
  await output.flush();
  return exit || output.failed();
}

function longNames(program: Command): string[] {
  return program.options.flatMap((option) => option.long ?? []);
}

/** Wrong usage is bad input (1); help and version that were asked for are not. */
function failed(error: unknown, io: Io, output: ReturnType<typeof createOutput>): number {
  if (error instanceof CommanderError) return error.exitCode;
  reportErrors(error, { output, errStyle: styleFor(io, io.stderr, {}), cwd: io.cwd });
  return 1;
}

/** Other names of options become the declared ones; words after `--` are not options. */
function withoutAliases(argv: readonly string[], known: readonly string[]): string[] {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  return [...own.map((word) => renamed(word, known)), ...argv.slice(own.length)];
}

function renamed(word: string, known: readonly string[]): string {
  const [name = '', ...value] = word.split('=');
  const long = Object.hasOwn(aliases, name) ? aliases[name] : whole(name, known);
  return long === undefined ? word : [long, ...value].join('=');
}

/** The only option that begins so: Ansible's own parser takes `--extra` for `--extra-vars`. */
function whole(name: string, known: readonly string[]): string | undefined {
  if (!name.startsWith('--') || name.length < 4 || known.includes(name)) return undefined;
  const meant = known.filter((one) => one.startsWith(name));
  return meant.length === 1 ? meant[0] : undefined;
}
