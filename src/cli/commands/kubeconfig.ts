import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { Command } from 'commander';
import { shippedPlaybook } from '../default-playbook.ts';
import { execute } from '../execute.ts';
import type { Io } from '../io.ts';
import { addOptions } from '../option-groups.ts';
import type { Output } from '../output.ts';
import { type Given, toRunOptions } from '../run-options.ts';
import { type Done, examples } from './run-commands.ts';

/** `kpush kubeconfig`: a playbook of kpush's own, whose only change is the file on the user's machine. */
export function kubeconfigCommand(io: Io, output: Output, done: Done): Command {
  const command = new Command('kubeconfig')
    .summary("fetch a cluster's kubeconfig")
    .description(
      'Fetches the kubeconfig of the admin from a control plane to this machine, readable by its owner only. Nothing\n' +
        'is changed on any host; -l names the control plane to ask where the first one is down.',
    )
    .argument('[file]', 'where to (default ./kubeconfig; with --merge $KUBECONFIG or ~/.kube/config)')
    .option('--merge', 'keep what the file holds of other clusters')
    .addHelpText(
      'after',
      examples(
        'kubeconfig -i inventory.yaml',
        'kubeconfig -i inventory.yaml --merge',
        'kubeconfig -i inventory.yaml -l cp2 admin.conf',
      ),
    )
    .action(async (file: string | undefined, given: Given) => {
      const path = resolve(io.cwd, file ?? place(given.merge === true, io.env));
      const exit = await execute(toRun(path, given, io), io, given.color as boolean | undefined);
      if (exit === 0 && given.output !== 'json') output.err(`kubectl --kubeconfig ${path} get nodes\n`);
      done(exit);
    });
  return addOptions(command, 'inventory', 'vars', 'connect', 'become', 'output');
}

function toRun(path: string, given: Given, io: Io) {
  const own = JSON.stringify({ kubeconfig_file: path, kubeconfig_merge: given.merge === true });
  const extraVars = [...((given.extraVars as string[] | undefined) ?? []), own];
  return toRunOptions(
    { verb: 'apply', playbooks: [shippedPlaybook('kubeconfig.yaml', io.cwd)] },
    { ...given, extraVars, yes: true },
    io,
  );
}

/** kubectl changes the first file of KUBECONFIG. */
function place(isMerged: boolean, env: Io['env']): string {
  if (!isMerged) return 'kubeconfig';
  return (env.KUBECONFIG ?? '').split(delimiter).find(Boolean) ?? join(env.HOME ?? homedir(), '.kube', 'config');
}
