import { type Command, Option } from 'commander';
import type { Given } from './run-options.ts';

/** An option of the command line that is a variable of a playbook. */
export type Variable = [option: Option, name: string];

/** How to be rid of pods, for all commands that drain. */
export function drainVariables(): Variable[] {
  return [
    [new Option('--no-drain', 'leave the pods where they are'), 'kube_upgrade_drain'],
    [
      new Option('--ladder <rungs>', 'evict, delete, skip: how to be rid of pods').argParser(words),
      'kube_drain_ladder',
    ],
    [new Option('--force', 'pods that nothing makes again may go'), 'kube_drain_force'],
    [new Option('--delete-emptydir-data', 'pods with local data may go'), 'kube_drain_delete_emptydir_data'],
  ];
}

export function addVariables(command: Command, heading: string, variables: readonly Variable[]): void {
  for (const [option] of variables) command.addOption(option.helpGroup(heading));
}

/** What the command line says by name, as variables of the playbook. */
export function valuesOf(given: Given, command: Command, variables: readonly Variable[]): Record<string, unknown> {
  const set = variables
    .map(([option, name]) => [option.attributeName(), name] as const)
    .filter(([attribute]) => command.getOptionValueSource(attribute) === 'cli');
  return Object.fromEntries(set.map(([attribute, name]) => [name, given[attribute]]));
}

export function words(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}
