import { type Command, InvalidArgumentError, Option } from 'commander';

/** Options by topic; names and meanings are ansible-playbook's where it has them. */
export const optionGroups = {
  inventory: [
    option('-i, --inventory <path>', 'inventory file, folder, or comma-separated hosts; may be repeated').argParser(
      list,
    ),
    option('-l, --limit <pattern>', 'only these hosts').argParser(list),
  ],
  select: [
    option('-t, --tags <tags>', 'only plays and tasks with these tags').argParser(list),
    option('--skip-tags <tags>', 'leave these out').argParser(list),
    option('--start-at-task <name>', 'begin at this task'),
    option('--list-hosts', 'print the matching hosts, do nothing'),
    option('--list-tasks', 'print the tasks, do nothing'),
    option('--list-tags', 'print the tags, do nothing'),
    option('--syntax-check', 'read and check the files, do nothing'),
  ],
  vars: [
    option('-e, --extra-vars <vars>', 'k=v, YAML or JSON, or @file; above all other variables').argParser(list),
    option('--vault-password-file <file>', 'vault password, or a program that prints it').argParser(list),
    option('--vault-id <label@source>', 'vault identity').argParser(list),
    option('--ask-vault-pass', 'ask for the vault password'),
  ],
  change: [
    option('-y, --yes', 'change without asking first'),
    option('-C, --check', "Ansible's check mode: predict, change nothing"),
    option('--dry-run', 'the same as kpush plan'),
    option('--force-handlers', 'run notified handlers on hosts that failed, too'),
    option('--force-unlock', "take over hosts that another run's lock holds"),
  ],
  plan: [
    option('--detailed-exitcode', '0 nothing to do, 2 changes, 3 only unknowns; failures 1 or 4'),
    option('--no-probes', 'do not run commands of yours (creates, unless, validate) to decide'),
  ],
  saved: [option('-o, --out <plan>', 'save the plan there, for kpush apply PLAN')],
  deferred: [option('--allow-deferred', 'of a saved plan: tasks it could only defer may do what they turn out to')],
  diff: [option('-D, --diff', 'show differences line by line'), option('--no-diff', 'show what changes in figures')],
  connect: [
    option('-u, --user <name>', 'log in as this user'),
    option('--private-key <file>', 'key to log in with'),
    option('-k, --ask-pass', 'ask for the login password'),
    option('--connection-password-file <file>', 'file with the login password'),
    option('-c, --connection <type>', 'ssh, openssh or local').argParser(connection),
    option('-T, --timeout <seconds>', 'time to connect').argParser(positive),
    option('--ssh-common-args <args>', 'arguments for ssh, as in ansible.cfg'),
    option('--ssh-extra-args <args>', 'more of them'),
    option('-f, --forks <n>', 'hosts worked on at once').argParser(positive),
  ],
  become: [
    option('-b, --become', 'become another user'),
    option('--become-user <name>', 'which one (default root)'),
    option('--become-method <method>', 'sudo, su, doas, runuser'),
    option('-K, --ask-become-pass', 'ask for the password to become'),
    option('--become-password-file <file>', 'file with it'),
  ],
  /** Of ansible-playbook alone: taken by kpush-playbook, where there is nothing for them to do. */
  ansible: [
    option('--flush-cache', 'accepted: kpush keeps no facts between runs'),
    option('--scp-extra-args <args>', 'accepted: kpush does not use scp'),
    option('--sftp-extra-args <args>', 'accepted: kpush does not use sftp'),
    option('-M, --module-path <path>', 'accepted: kpush has its own modules'),
  ],
  output: [
    option('--output <format>', 'pretty, plain or json').choices(['pretty', 'plain', 'json']),
    option('--summary-file <file>', 'write counts per host and the result as JSON'),
    option('-v, --verbose', 'say more; up to -vvvv').argParser(
      (_: unknown, before: number | undefined) => (before ?? 0) + 1,
    ),
    option('--no-color', 'no colour (also NO_COLOR=1)'),
    option('--compat <tool>', 'ansible: be no stricter than it is').choices(['ansible']),
    option('--strict', 'warnings about the input are errors'),
  ],
} satisfies Record<string, Option[]>;

const headings: Record<keyof typeof optionGroups, string> = {
  inventory: 'Hosts:',
  select: 'Tasks:',
  vars: 'Variables:',
  change: 'Changing:',
  plan: 'Planning:',
  saved: 'Planning:',
  deferred: 'Changing:',
  diff: 'Planning:',
  connect: 'Connection:',
  become: 'Privileges:',
  ansible: 'For the sake of ansible-playbook:',
  output: 'Output:',
};

export type GroupName = keyof typeof optionGroups;

export function addOptions(command: Command, ...groups: GroupName[]): Command {
  for (const group of groups) for (const one of optionGroups[group]) command.addOption(one.helpGroup(headings[group]));
  return command;
}

/** Long names that Ansible also accepts, and what they are called here. */
export const aliases: Record<string, string> = {
  '--inventory-file': '--inventory',
  '--key-file': '--private-key',
  '--conn-pass-file': '--connection-password-file',
  '--become-pass-file': '--become-password-file',
  '--vault-pass-file': '--vault-password-file',
  '--ask-vault-password': '--ask-vault-pass',
};

function option(flags: string, help: string): Option {
  return new Option(flags, help);
}

function list(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

export function positive(value: string): number {
  if (!/^\d+$/.test(value) || Number(value) < 1) throw new InvalidArgumentError('It must be a whole number above 0.');
  return Number(value);
}

/** `smart` and `paramiko` are Ansible's words for what ssh is here. */
function connection(value: string): string {
  const names: Record<string, string> = {
    smart: 'ssh',
    paramiko: 'ssh',
    ssh: 'ssh',
    openssh: 'openssh',
    local: 'local',
  };
  const name = names[value];
  if (name === undefined) throw new InvalidArgumentError('It must be ssh, openssh or local.');
  return name;
}
