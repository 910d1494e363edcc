import { Argument, Command } from 'commander';
import { completionScript, type Shell } from '../completion-script.ts';
import type { Output } from '../output.ts';
import { examples } from './run-commands.ts';

export function completionCommand(output: Output): Command {
  const command = new Command('completion')
    .summary('print a completion script for your shell')
    .description('Prints a script that completes commands, options and their values.')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', examples('completion bash > /etc/bash_completion.d/kpush', 'completion fish | source'));
  return command.action((shell: Shell) => {
    output.out(completionScript(shell, command.parent ?? command));
  });
}
