import { Command, InvalidArgumentError, Option } from 'commander';
import type { RunOptions } from '../../core/options.ts';
import { shippedPlaybook } from '../default-playbook.ts';
import { execute } from '../execute.ts';
import type { Io } from '../io.ts';
import { addOptions } from '../option-groups.ts';
import { addVariables, drainVariables, type Variable, valuesOf, words } from '../playbook-variables.ts';
import { type Given, toRunOptions } from '../run-options.ts';
import { type Done, examples } from './run-commands.ts';

/** Options of an upgrade that are variables of its playbook. */
const variables: Variable[] = [
  [new Option('--serial <batches>', 'batches of nodes, such as 1,25%').argParser(batches), 'kube_upgrade_serial'],
  [
    new Option('--max-failures <n>', 'nodes that may fail before it stops').argParser(whole),
    'kube_upgrade_max_failures',
  ],
  [
    new Option('--on-failure <policy>', 'leave a node that fails as it is, or put back what was there').choices([
      'leave',
      'rollback',
    ]),
    'kube_upgrade_on_failure',
  ],
  [new Option('--allow-downgrade', 'older programs may take the place of newer ones'), 'kube_upgrade_allow_downgrade'],
  ...drainVariables(),
  [new Option('--gate <command>', 'must succeed on a node before it takes pods'), 'kube_upgrade_gate_command'],
];

export function upgradeCommand(io: Io, done: Done): Command {
  const command = new Command('upgrade')
    .summary('bring a running cluster to another release')
    .description(
      'Brings the machines of playbooks/cluster.yaml to another release of Kubernetes: checks everything, downloads\n' +
        'everywhere, then one control plane at a time, then the nodes in batches, drained first, each behind gates.\n' +
        'With --dry-run it shows all of that and changes nothing.',
    )
    .requiredOption('--to <version>', 'the release to go to, such as v1.20.5', release)
    .addHelpText(
      'after',
      examples(
        'upgrade -i inventory.yaml --to v1.20.5 --dry-run',
        'upgrade -i inventory.yaml --to v1.20.5 --dry-run -o plan.json',
        'upgrade -i inventory.yaml --to v1.20.5 --serial 1,2,25% --yes',
      ),
    );
  addVariables(command, 'Upgrade:', variables);
  command.addOption(unreachable.helpGroup('Upgrade:'));
  addOptions(command, 'inventory', 'vars', 'change', 'saved', 'diff', 'connect', 'output');
  return command.action(async (given: Given) => {
    const target = { verb: 'apply' as const, playbooks: [shippedPlaybook('upgrade.yaml', io.cwd)] };
    const options = toRunOptions(target, { ...given, extraVars: extraVars(given, command) }, io);
    const lost = given.allowUnreachable ? await missing(options, io, given.allowUnreachable as string | true) : [];
    const exit = await run(options, lost, io, given);
    if (lost.length > 0)
      io.stderr.write(`Left out, for they did not answer: ${lost.join(', ')}. The next run takes them along.\n`);
    done(exit);
  });
}

const unreachable = new Option(
  '--allow-unreachable [which]',
  'go on without machines that do not answer: how many, or a pattern of those that may',
);

async function missing(options: RunOptions, io: Io, allowed: string | true): Promise<string[]> {
  const { leftOut } = await import('../left-out.ts');
  return leftOut(options, io, allowed);
}

async function run(options: RunOptions, lost: string[], io: Io, given: Given): Promise<number> {
  const { without } = await import('../left-out.ts');
  return execute(without(options, lost), io, given.color as boolean | undefined);
}

export function rollbackCommand(io: Io, done: Done): Command {
  const command = new Command('rollback')
    .summary('put back what was on nodes before their upgrade')
    .description(
      'Puts back the programs, units and configuration that were on nodes before their last upgrade, while they are\n' +
        'kept there: one node after the other, drained first, behind gates.',
    )
    .argument('<node...>', 'nodes, as the inventory names them')
    .addHelpText(
      'after',
      examples('rollback -i inventory.yaml worker1', 'rollback -i inventory.yaml worker1 --dry-run'),
    );
  addOptions(command, 'inventory', 'vars', 'change', 'saved', 'diff', 'connect', 'output');
  return command.action(async (nodes: string[], given: Given) => {
    const target = { verb: 'apply' as const, playbooks: [shippedPlaybook('rollback.yaml', io.cwd)] };
    const options = toRunOptions(
      target,
      { ...given, limit: [nodes.join(','), ...((given.limit as string[] | undefined) ?? [])] },
      io,
    );
    done(await execute(options, io, given.color as boolean | undefined));
  });
}

/** The user's own come first: what the command line says by name wins. */
function extraVars(given: Given, command: Command): string[] {
  const own = (given.extraVars as string[] | undefined) ?? [];
  return [...own, JSON.stringify({ kube_version: given.to, ...valuesOf(given, command, variables) })];
}

function release(text: string): string {
  if (!/^v?\d+\.\d+\.\d+(-[\w.]+)?$/.test(text))
    throw new InvalidArgumentError('It must be a release, such as v1.20.5.');
  return text.startsWith('v') ? text : `v${text}`;
}

function batches(text: string): (string | number)[] {
  return words(text).map((word) => {
    if (!/^[1-9]\d*%?$/.test(word))
      throw new InvalidArgumentError('It must be numbers and percentages, such as 1,25%.');
    return word.endsWith('%') ? word : Number(word);
  });
}

function whole(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
