import { join } from 'node:path';
import { Command } from 'commander';
import { defaultPlaybook } from '../default-playbook.ts';
import { execute } from '../execute.ts';
import type { Io } from '../io.ts';
import { addOptions } from '../option-groups.ts';
import type { Output } from '../output.ts';
import { type Given, type Target, toRunOptions } from '../run-options.ts';

/** Told the exit code of the command that ran. */
export type Done = (exit: number) => void;

export function applyCommand(io: Io, done: Done): Command {
  const command = new Command('apply')
    .summary('plan, change, prove')
    .description(
      'Makes hosts what the playbook says: plans, changes what differs, proves it. On a terminal it shows the plan\n' +
        'and asks once before it changes anything.',
    )
    .argument('[playbook...]', 'playbooks in order, or one saved plan (default playbooks/cluster.yaml)')
    .addHelpText(
      'after',
      examples(
        'apply -i inventory.yaml',
        'apply plan.json',
        'apply -i inventory.yaml site.yml --limit web --diff',
        'apply -i h1,h2 site.yml --yes --summary-file out.json',
      ),
    )
    .action((playbooks: string[], given: Given) =>
      start({ verb: 'apply', playbooks: named(playbooks, io) }, given, io, done),
    );
  return addOptions(
    command,
    'inventory',
    'select',
    'vars',
    'change',
    'deferred',
    'diff',
    'connect',
    'become',
    'output',
  );
}

export function planCommand(io: Io, done: Done): Command {
  const command = new Command('plan')
    .summary('show what apply would change, change nothing')
    .description('Shows on stdout what an apply would change, as a page to review. Nothing is written on any host.')
    .argument('[playbook...]', 'playbooks in order (default playbooks/cluster.yaml)')
    .addHelpText(
      'after',
      examples(
        'plan -i inventory.yaml site.yml',
        'plan -i inventory.yaml site.yml -o plan.json',
        'plan -i inventory.yaml site.yml --no-diff | less',
        'plan -i inventory.yaml site.yml --detailed-exitcode --output json',
      ),
    )
    .action((playbooks: string[], given: Given) =>
      start({ verb: 'plan', playbooks: named(playbooks, io) }, given, io, done),
    );
  return addOptions(command, 'inventory', 'select', 'vars', 'plan', 'saved', 'diff', 'connect', 'become', 'output');
}

export function resumeCommand(io: Io, output: Output, done: Done): Command {
  const command = new Command('resume')
    .summary('apply again, to the hosts that a run left over')
    .description(
      'Applies the same playbook with the same options to the hosts that failed in a recorded apply, or that it did\n' +
        'not come to. They are planned anew: what was done already is found done.',
    )
    .argument('[run]', 'a run, the beginning of its id, or latest (default the last apply)')
    .addHelpText('after', examples('resume', 'resume 20260115-0200 --yes'))
    .action(async (run: string | undefined, given: Given) => {
      const { resumed } = await import('../resume.ts');
      const options = resumed(join(io.cwd, '.kpush'), run, toRunOptions({ verb: 'apply' }, given, io));
      if (options) return done(await execute(options, io, given.color as boolean | undefined));
      output.err('Nothing is left over: every host came to the end.\n');
      done(0);
    });
  return addOptions(command, 'vars', 'change', 'connect', 'output');
}

export function statusCommand(io: Io, done: Done): Command {
  const command = new Command('status')
    .summary('ask every gate, change nothing')
    .description(
      'Asks every gate of a playbook once, on every host it names, and says which pass: exit code 0 when all do, 5 when\n' +
        'one does not. Tasks are only planned; nothing is written on any host.',
    )
    .argument('[playbook...]', 'playbooks in order (default playbooks/cluster.yaml)')
    .addHelpText('after', examples('status -i inventory.yaml', 'status -i inventory.yaml -l worker2'))
    .action((playbooks: string[], given: Given) =>
      start({ verb: 'status', playbooks: named(playbooks, io) }, given, io, done),
    );
  return addOptions(command, 'inventory', 'vars', 'connect', 'become', 'output');
}

export function execCommand(io: Io, done: Done): Command {
  const command = new Command('exec')
    .summary('run a command on hosts')
    .description(
      'Runs a command on every matching host, side by side. One word is a shell line, several are passed as they are.',
    )
    .argument('<pattern>', 'which hosts')
    .argument('<command...>', 'the command, after --')
    .addHelpText(
      'after',
      examples(
        'exec -i inventory.yaml all -- uptime',
        "exec -i inventory.yaml 'web:!web3' -b -- systemctl restart nginx",
        "exec -i h1,h2 all -- 'df -h / | tail -1'",
      ),
    )
    .action((pattern: string, words: string[], given: Given) =>
      start({ verb: 'exec', pattern, command: words }, given, io, done),
    );
  return addOptions(command, 'inventory', 'vars', 'connect', 'become', 'output');
}

export function pingCommand(io: Io, done: Done): Command {
  const command = new Command('ping')
    .summary('check that hosts can be reached and used')
    .description('Connects to every matching host, becomes the user asked for, and says which answer.')
    .argument('[pattern]', 'which hosts', 'all')
    .addHelpText('after', examples('ping -i inventory.yaml', 'ping -i inventory.yaml web -b'))
    .action((pattern: string, given: Given) => start({ verb: 'ping', pattern }, given, io, done));
  return addOptions(command, 'inventory', 'vars', 'connect', 'become', 'output');
}

export function factsCommand(io: Io, done: Done): Command {
  const command = new Command('facts')
    .summary('print what is known of hosts, as JSON')
    .description('Prints the facts that playbooks see as ansible_facts: one JSON object, a member for each host.')
    .argument('[pattern]', 'which hosts', 'all')
    .addHelpText('after', examples('facts -i inventory.yaml', "facts -i inventory.yaml web1 | jq '.web1.distribution'"))
    .action((pattern: string, given: Given) => start({ verb: 'facts', pattern }, given, io, done));
  return addOptions(command, 'inventory', 'vars', 'connect', 'become', 'output');
}

function named(playbooks: string[], io: Io): string[] {
  return playbooks.length > 0 ? playbooks : [defaultPlaybook(io.cwd)];
}

export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  kpush ${line}\n`).join('')}`;
}

async function start(target: Target, given: Given, io: Io, done: Done) {
  done(await execute(toRunOptions(target, given, io), io, given.color as boolean | undefined));
}
