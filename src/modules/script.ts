import { quote, quoteAll } from '../core/quote.ts';
import { result, TaskFailure } from '../core/result.ts';
import type { Run } from '../core/steps.ts';
import { defineModule } from './define.ts';
import { completeCommand, planCommand, shortCommand } from './lib/run-command.ts';
import { notNeeded, runWhenKeys, runWhenParams } from './lib/run-when.ts';
import { splitWords } from './lib/words.ts';

export const scriptModule = defineModule({
  name: 'script',
  doc: {
    summary: 'Runs a script of the controller on the host',
    notes: [
      'It is handed over on standard input, kept in a temporary folder while it runs, and started by its own interpreter (the `#!` line, else sh), so that a folder mounted noexec does no harm.',
      'When it must run and what it may change: see command.',
    ],
    examples: '- script: prepare.sh --fast\n  args: {creates: /etc/prepared}\n',
    returns: { rc: 'exit code', stdout: 'what it printed' },
  },
  params: {
    cmd: { type: 'str', doc: 'The script, as found below `files`, and its arguments' },
    executable: { type: 'path', doc: 'Interpreter, instead of the one of its `#!` line' },
    ...runWhenParams,
  },
  freeForm: 'cmd',
  opaque: true,
  facts: (params, ctx) => runWhenKeys(params, ctx),
  plan(params, world, ctx) {
    const [name, ...args] = words(params.cmd);
    const skip = notNeeded(params, world, ctx);
    if (skip) return { steps: [], result: { ...result(false, { msg: reason(skip.stdout) }), skipped: true } };
    const file = ctx.files.find('files', name);
    const run = runOf(name, args, file.bytes(), params.executable);
    const call = { cmd: params.cmd ?? '', title: `${shortCommand(name)}`, run, when: params };
    return planCommand(call, world, ctx);
  },
  complete(_params, predicted, outcomes) {
    const real = completeCommand(predicted, outcomes, false);
    const hidden = ['cmd', 'start', 'end', 'delta'];
    return { ...real, values: new Map([...real.values].filter(([name]) => !hidden.includes(name))) };
  },
});

/** In Ansible's words; unlike a command, a script that is not needed is skipped. */
function reason(text: string): string {
  const short = text.replace(/^skipped, since /, '');
  if (short.endsWith('does not exist')) return `${short}, matching removes option`;
  return short.endsWith('exists') ? `${short}, matching creates option` : short;
}

function words(cmd: string | undefined): [string, ...string[]] {
  let found: string[];
  try {
    found = splitWords(cmd ?? '');
  } catch (error) {
    throw new TaskFailure(`the script cannot be cut into words: ${(error as Error).message}`);
  }
  const [name, ...args] = found;
  if (name === undefined) throw new TaskFailure('no script given', { rc: 256 });
  return [name, ...args];
}

const limit = 256 * 1024;

/** Text as it is, anything else by base64; both are read from stdin before the script starts with an empty one. */
function runOf(name: string, args: string[], bytes: Buffer, executable: string | undefined): Run {
  if (bytes.length > limit) throw new TaskFailure(`${name} is longer than ${limit / 1024} KiB: copy it first`);
  const text = bytes.toString('utf8');
  const plain = Buffer.from(text, 'utf8').equals(bytes) && !text.includes('\0');
  const base = name.slice(name.lastIndexOf('/') + 1);
  const interpreter = executable === undefined ? shebang(text) : [executable];
  const script = [
    // What the script itself makes has the modes that it is used to.
    'kp_u=$(umask); umask 077',
    'kp_d=$(mktemp -d) || exit 1',
    'trap \'rm -rf "$kp_d"\' EXIT',
    `${plain ? 'cat' : 'base64 -d'} >"$kp_d"/${quote(base)} || exit 1`,
    'umask "$kp_u"',
    `${quoteAll(interpreter)} "$kp_d"/${quote(base)}${args.length > 0 ? ` ${quoteAll(args)}` : ''} </dev/null`,
  ].join('\n');
  return { kind: 'sh', script, stdin: plain ? text : bytes.toString('base64') };
}

function shebang(text: string): string[] {
  const found = /^#!\s*(\S+)(?:[ \t]+([^\n]*?))?\s*(?:\n|$)/.exec(text);
  if (!found) return ['sh'];
  return found[2] ? [found[1]!, found[2]] : [found[1]!];
}
