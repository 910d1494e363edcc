import { Command, InvalidArgumentError, Option } from 'commander';
import { inputError } from '../../core/errors.ts';
import type { RunOptions } from '../../core/options.ts';
import { shippedPlaybook } from '../default-playbook.ts';
import { execute } from '../execute.ts';
import type { Io } from '../io.ts';
import { addOptions, positive } from '../option-groups.ts';
import { addVariables, drainVariables, type Variable, valuesOf, words } from '../playbook-variables.ts';
import { type Given, toRunOptions } from '../run-options.ts';
import { type Done, examples } from './run-commands.ts';

const offline: Variable = [
  new Option('--offline', 'ask no apiserver: neither drain nor remove Node objects'),
  'kube_leave_offline',
];
const draining = () => [...drainVariables(), offline];

export function resetCommand(io: Io, done: Done): Command {
  const variables = draining();
  const command = new Command('reset')
    .summary('take machines out of the cluster and remove what kpush put there')
    .description(
      'Drains machines, takes them out of the cluster and of etcd, and removes what kpush put on them: all of it is\n' +
        'listed by name first. What was there before is put back, and nothing else is touched.',
    )
    .argument('[node...]', 'machines, as the inventory names them')
    .option('--whole-cluster', 'all machines, with its store and its certificate authority')
    .addHelpText(
      'after',
      examples(
        'reset -i inventory.yaml worker1 --dry-run',
        'reset -i inventory.yaml worker1',
        'reset -i inventory.yaml --whole-cluster',
      ),
    );
  addVariables(command, 'Reset:', variables);
  addOptions(command, 'inventory', 'vars', 'change', 'saved', 'diff', 'connect', 'output');
  return command.action(async (nodes: string[], given: Given) => {
    const isAll = given.wholeCluster === true;
    if (isAll === nodes.length > 0)
      throw inputError('which machines is not said', { hint: 'name them, or say --whole-cluster' });
    const set = { ...valuesOf(given, command, variables), kube_leave_all: isAll };
    const options = leavingOptions('reset.yaml', given, set, io);
    const { clusterHosts, exactly } = await import('../cluster-hosts.ts');
    const hosts = clusterHosts(options, io.cwd).all;
    done(await run(only(options, isAll ? hosts : exactly(nodes, hosts)), given, io));
  });
}

export function rebuildCommand(io: Io, done: Done): Command {
  const variables: Variable[] = [
    [new Option('--reprovision <command>', 'makes the machine anew; KPUSH_NODE names it'), 'kube_rebuild_command'],
    [new Option('--host-key <fingerprint>', 'the only new SSH key to take').argParser(print), 'kube_rebuild_host_key'],
    [new Option('--wait <seconds>', 'how long it may take to be back').argParser(positive), 'kube_rebuild_seconds'],
    [
      new Option('--add-first <node>', 'a machine that joins before the first is drained').argParser(list),
      'kube_rebuild_add_first',
    ],
    [new Option('--gate <command>', 'must succeed on a node before it takes pods'), 'kube_upgrade_gate_command'],
    ...draining(),
  ];
  const command = new Command('rebuild')
    .summary('build machines of a running cluster anew, one after the other')
    .description(
      'Per machine: drains it, takes it out of the cluster and of etcd, removes what kpush put there or has it made anew\n' +
        'by a command of yours, builds it again, and lets it take pods when it is Ready. It stops at the first failure.',
    )
    .argument('[node...]', 'machines, as the inventory names them')
    .option('--all-workers', 'every machine that is a node and nothing else')
    .addHelpText(
      'after',
      examples(
        'rebuild -i inventory.yaml worker1 --dry-run',
        `rebuild -i inventory.yaml worker1 --reprovision './reinstall.sh "$KPUSH_NODE"'`,
        'rebuild -i inventory.yaml --all-workers --add-first spare1',
      ),
    );
  addVariables(command, 'Rebuild:', variables);
  addOptions(command, 'inventory', 'vars', 'change', 'saved', 'diff', 'connect', 'output');
  return command.action(async (nodes: string[], given: Given) => {
    const isAll = given.allWorkers === true;
    if (isAll === nodes.length > 0)
      throw inputError('which machines is not said', { hint: 'name them, or say --all-workers' });
    const options = leavingOptions('rebuild.yaml', given, valuesOf(given, command, variables), io);
    const { clusterHosts, exactly } = await import('../cluster-hosts.ts');
    const { all, workers } = clusterHosts(options, io.cwd);
    const spares = exactly((given.addFirst as string[] | undefined) ?? [], workers);
    const hosts = isAll ? workers.filter((host) => !spares.includes(host)) : exactly(nodes, all);
    const both = hosts.find((host) => spares.includes(host));
    if (both !== undefined) throw inputError(`${both} cannot be rebuilt and join first at once`);
    if (hosts.length === 0) throw inputError('there is no machine that is a node and nothing else');
    done(
      await run(
        only(withVars(options, { kube_rebuild_hosts: hosts, kube_rebuild_add_first: spares }), [...hosts, ...spares]),
        given,
        io,
      ),
    );
  });
}

function leavingOptions(playbook: string, given: Given, set: Record<string, unknown>, io: Io): RunOptions {
  const target = { verb: 'apply' as const, playbooks: [shippedPlaybook(playbook, io.cwd)] };
  return withVars(toRunOptions(target, given, io), set);
}

/** The user's own come first: what the command line says by name wins. */
function withVars(options: RunOptions, set: Record<string, unknown>): RunOptions {
  return { ...options, extraVars: [...options.extraVars, JSON.stringify(set)] };
}

function only(options: RunOptions, hosts: readonly string[]): RunOptions {
  return { ...options, limit: [hosts.join(','), ...options.limit] };
}

/** What goes is asked for: on a terminal once it was listed, elsewhere beforehand. */
async function run(options: RunOptions, given: Given, io: Io): Promise<number> {
  const canAsk = io.stdin.isTTY === true && io.stderr.isTTY === true && options.output === 'pretty';
  if (options.verb === 'apply' && !options.yes && !options.check && !canAsk)
    throw inputError('nobody can be asked here whether machines may be taken apart', {
      hint: 'look at it with --dry-run, then say --yes',
    });
  return execute(options, io, given.color as boolean | undefined);
}

function list(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), ...words(value)];
}

function print(text: string): string {
  if (!/^SHA256:[A-Za-z0-9+/]{43}$/.test(text))
    throw new InvalidArgumentError('It must be as ssh-keygen -l prints it: SHA256:…');
  return text;
}
