import { Command } from 'commander';
import { completionCommand } from './commands/completion.ts';
import { rollbackCommand, upgradeCommand } from './commands/day-two-commands.ts';
import { logsCommand, reportCommand, runsCommand } from './commands/journal-commands.ts';
import { kubeconfigCommand } from './commands/kubeconfig.ts';
import { rebuildCommand, resetCommand } from './commands/leave-commands.ts';
import {
  coverageCommand,
  docCommand,
  explainCommand,
  initCommand,
  inventoryCommand,
  lintCommand,
  schemaCommand,
} from './commands/offline-commands.ts';
import {
  applyCommand,
  type Done,
  execCommand,
  factsCommand,
  pingCommand,
  planCommand,
  resumeCommand,
  statusCommand,
} from './commands/run-commands.ts';
import { trustCommand } from './commands/trust.ts';
import type { Io } from './io.ts';
import { addOptions } from './option-groups.ts';
import type { Output } from './output.ts';
import { version } from './version.ts';

/** The command line as declared: parsing, help, completion and the reference are all made from it. */
export function createProgram(io: Io, output: Output, done: Done): Command {
  const program = new Command('kpush')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'help for a command')
    .configureHelp({ formatHelp: (command) => rootHelp(command) });
  const commands = [
    applyCommand(io, done),
    planCommand(io, done),
    upgradeCommand(io, done),
    rollbackCommand(io, done),
    rebuildCommand(io, done),
    resetCommand(io, done),
    resumeCommand(io, output, done),
    execCommand(io, done),
    pingCommand(io, done),
    factsCommand(io, done),
    statusCommand(io, done),
    trustCommand(io, output),
    inventoryCommand(io, output),
    explainCommand(io, output),
    lintCommand(io, output),
    coverageCommand(io, output),
    docCommand(io, output),
    schemaCommand(output),
    initCommand(io, output),
    kubeconfigCommand(io, output, done),
    runsCommand(io, output),
    logsCommand(io, output),
    reportCommand(io, output),
    completionCommand(output),
  ];
  for (const command of commands) program.addCommand(prepared(command, io, output));
  return prepared(program, io, output);
}

/** `kpush-playbook`: takes an ansible-playbook command line as it is, and does not ask, as that does not. */
export function createPlaybookProgram(io: Io, output: Output, done: Done): Command {
  const command = applyCommand(io, done).name('kpush-playbook').version(version, '--version', 'print the version');
  command.setOptionValue('yes', true);
  addOptions(command, 'ansible');
  return prepared(command, io, output);
}

function prepared(command: Command, io: Io, output: Output): Command {
  return command
    .description(command.description().replaceAll('\n', ' '))
    .exitOverride()
    .showHelpAfterError(helpHint(command.name()))
    .configureOutput({
      writeOut: output.out,
      writeErr: output.err,
      getOutHelpWidth: () => Math.min(io.stdout.columns ?? 100, 120),
      getErrHelpWidth: () => Math.min(io.stderr.columns ?? 100, 120),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .helpCommand(false);
}

function helpHint(name: string): string {
  const dashes = name === 'exec' ? "put -- before the command's own options; " : '';
  return `(${dashes}${name.startsWith('kpush') ? name : `kpush ${name}`} --help lists what there is)`;
}

/** Commands that one needs once: they are named without a line of their own, so that all fit on a screen. */
const rare = ['explain', 'trust', 'coverage', 'schema', 'completion'];

/** All commands on one screen; each explains itself. */
function rootHelp(program: Command): string {
  const shown = program.commands.filter((command) => !rare.includes(command.name()));
  const width = Math.max(...shown.map((command) => command.name().length));
  const lines = shown.map((command) => `  ${command.name().padEnd(width)}  ${command.summary()}\n`);
  return `Usage: kpush COMMAND [OPTIONS]    (kpush COMMAND --help explains one; kpush --version)

${lines.join('')}  and ${rare.join(', ')}
Begin with kpush init, then kpush plan -i inventory.yaml site.yml
`;
}
