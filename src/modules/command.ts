import { quoteAll } from '../core/quote.ts';
import { type Result, TaskFailure } from '../core/result.ts';
import type { StepOutcome } from '../core/steps.ts';
import { defineModule } from './define.ts';
import { completeCommand, notBegun, notEntered, planCommand, shortCommand } from './lib/run-command.ts';
import { runWhenKeys, runWhenParams } from './lib/run-when.ts';
import { splitWords } from './lib/words.ts';

/** Both forms of what to run, and stdin, as in Ansible. */
export const commandParams = {
  cmd: { type: 'str', doc: 'The command, cut into words as a shell would, without a shell' },
  stdin: { type: 'str', doc: 'Text for its standard input, which is empty otherwise', secret: true },
  stdin_add_newline: { type: 'bool', doc: 'End stdin with a newline', default: true },
  strip_empty_ends: { type: 'bool', doc: 'Drop newlines at the end of stdout and stderr', default: true },
  ...runWhenParams,
} as const;

export const commandModule = defineModule({
  name: 'command',
  doc: {
    summary: 'Runs a command, without a shell',
    notes: [
      'Variables and `~` in words are expanded, pipes and redirections are not: use shell for those.',
      'What a command changes cannot be foreseen: what comes after it in a plan is provisional. `creates`, `removes`, `unless` and `only_if` tell when it has nothing to do.',
    ],
    examples: [
      '- command: kubeadm init --config /etc/kubeadm.yaml',
      '  args: {creates: /etc/kubernetes/admin.conf}',
      '- command: {argv: [touch, "/etc/a file"], unless: test -e "/etc/a file"}',
      '',
    ].join('\n'),
    returns: { cmd: 'the words', rc: 'exit code', stdout: 'what it printed', delta: 'how long it took' },
  },
  params: {
    ...commandParams,
    argv: { type: 'list', elements: 'str', doc: 'The words, one by one' },
    executable: { type: 'str', doc: 'Not used by command' },
  },
  freeForm: 'cmd',
  opaque: true,
  facts: (params, ctx) => runWhenKeys(params, ctx),
  plan(params, world, ctx) {
    const argv = words(params.cmd, params.argv);
    const run = { kind: 'argv' as const, argv, expand: true, ...stdinOf(params) };
    const plan = planCommand({ cmd: argv, title: shortCommand(quoteAll(argv)), run, when: params }, world, ctx);
    return params.executable === undefined ? plan : { ...plan, warnings: [unused(params.executable)] };
  },
  complete: (params, predicted, outcomes) =>
    notEntered(params.chdir, predicted, outcomes[0]) ??
    couldNotBegin(predicted, outcomes) ??
    completeCommand(predicted, outcomes, params.strip_empty_ends),
});

/** Standard input as the step takes it; shell has it too. */
export function stdinOf(params: { stdin?: string | undefined; stdin_add_newline: boolean }): { stdin?: string } {
  if (params.stdin === undefined) return {};
  return { stdin: params.stdin_add_newline ? `${params.stdin}\n` : params.stdin };
}

function words(cmd: string | undefined, argv: string[] | undefined): string[] {
  if ((cmd === undefined || cmd.trim() === '') && !argv?.length) throw new TaskFailure('no command given', notBegun);
  if (cmd !== undefined && argv?.length) throw new TaskFailure('only command or argv can be given, not both', notBegun);
  try {
    return cmd === undefined ? argv! : splitWords(cmd);
  } catch (error) {
    throw new TaskFailure(`the command cannot be cut into words: ${(error as Error).message}`);
  }
}

function unused(executable: string): string {
  return `'executable' (${executable}) has no meaning for command: it runs without a shell`;
}

/** What the starting shell says, as Ansible's module would: rc 2 or 13, no times. */
function couldNotBegin(predicted: Result, outcomes: StepOutcome[]): Result | undefined {
  const outcome = outcomes[0];
  const argv = predicted.values.get('cmd');
  const program = Array.isArray(argv) ? String(argv[0]) : '';
  if (!outcome || !said(outcome, program)) return undefined;
  const [rc, reason] = outcome.rc === 127 ? [2, 'No such file or directory'] : [13, 'Permission denied'];
  const msg = `[Errno ${rc}] ${reason}: b'${program}'`;
  const empty = { stdout: '', stderr: '', stdout_lines: [], stderr_lines: [] };
  return {
    changed: false,
    failed: true,
    values: new Map(Object.entries({ cmd: quoteAll(argv as string[]), rc, msg, ...empty })),
  };
}

/** 127 and 126 may as well be the program's own codes: then no shell names it in one line. */
function said(outcome: StepOutcome, program: string): boolean {
  if (outcome.status === 'ok' || (outcome.rc !== 127 && outcome.rc !== 126) || outcome.stdout !== '') return false;
  const line = outcome.stderr.trim();
  return (
    !line.includes('\n') &&
    line.includes(program) &&
    /(not found|No such file or directory|ermission denied)$/.test(line)
  );
}
