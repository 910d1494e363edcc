/** `npm run lab -- …`: labs from the command line. Exit codes: 0 done, 1 it failed, 2 it was asked wrongly. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { down, powerOff, prune, runInside, runSsh, status, up, withHosts, withLab } from './commands.ts';
import { LabError } from './errors.ts';
import { kubernetes } from './kubernetes/cli.ts';
import { cacheRoot } from './paths.ts';

const program = new Command('npm run lab --')
  .description('Throwaway Debian hosts with real systemd and sshd on this machine.')
  .enablePositionalOptions()
  .showHelpAfterError('(--help tells how)')
  .addHelpText('after', help)
  .exitOverride();

const baseOption = new Option('--base <name>', 'kube: with the Debian packages of a Kubernetes node, disabled')
  .choices(['plain', 'kube'])
  .default('plain');

command('up', 'boot a lab and write its inventory')
  .option('--hosts <n>', 'hosts without Python: h1, h2, …', wholeNumber, 1)
  .option('--twin <n>', 'hosts with Python, for ansible-playbook: t1, t2, …', wholeNumber, 0)
  .addOption(baseOption)
  .option('--inventory <file>', 'where the inventory goes; twins go to FILE-twin', 'inventory/lab.yaml')
  .action(up);
command('status', 'the labs of this machine and their hosts', false)
  .option('--json', 'as JSON')
  .option('--id <name>', 'only this lab')
  .action(status);
command('down', 'end a lab and remove everything of it; also clears labs whose owner was killed').action(down);
command('ssh', 'log in to a host, or run a command there')
  .argument('<host>')
  .argument('[command...]')
  .option('--user <name>', 'root or deploy', 'root')
  .passThroughOptions()
  .action(runSsh);
command('exec', 'run a command inside a host without ssh')
  .argument('<host>')
  .argument('<command...>')
  .passThroughOptions()
  .action(runInside);
command('reset', 'a new disk with the old keys, booted; all hosts when none is named')
  .argument('[host...]')
  .action(withHosts('reset', (lab, host) => lab.reset(host), 'all'));
hostCommand('replace', 'another machine in its place: a new disk, new keys', (lab, host) => lab.replace(host));
hostCommand('poweroff', 'power off in order', powerOff);
hostCommand('boot', 'boot a host that is off', (lab, host) => lab.boot(host));
hostCommand('crash', 'end a host at once; its disk stays', (lab, host) => lab.crash(host));
hostCommand('cut', 'take the link of a host down', (lab, host) => lab.cut(host));
hostCommand('heal', 'take its link up again', (lab, host) => lab.heal(host));
hostCommand('drop', 'drop all packets to a host in silence', (lab, host) => lab.drop(host));
hostCommand('undrop', 'stop dropping', (lab, host) => lab.undrop(host));
hostCommand('freeze', 'stop all processes of a host where they are', async (lab, host) => lab.freeze(host));
hostCommand('thaw', 'let them go on', async (lab, host) => lab.thaw(host));
command('snapshot', 'keep the disks of all hosts under a name')
  .argument('<name>')
  .action(withLab((lab, name) => lab.snapshot(name)));
command('restore', 'take all hosts back to a snapshot')
  .argument('<name>')
  .action(withLab((lab, name) => lab.restore(name)));
command('kubernetes', 'build the Kubernetes of the lab unless it is cached; show where it is', false).action(
  kubernetes,
);
command('prune', 'delete cached bases that no recipe makes any more', false).action(prune);

// A reader that has seen enough (`| head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = explain(error);
}

function command(name: string, description: string, ofOneLab = true): Command {
  const made = program.command(name).description(description).exitOverride();
  return ofOneLab ? made.option('--id <name>', 'the lab; by default one per checkout') : made;
}

function hostCommand(name: string, description: string, action: Parameters<typeof withHosts>[1]) {
  command(name, description).argument('<host...>').action(withHosts(name, action));
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (!(error instanceof LabError)) throw error;
  console.error(`lab: ${error.message}`);
  if (error.details?.trim()) console.error(error.details.trim().replace(/^/gm, '  '));
  return 1;
}

function help(): string {
  return `
Bases and labs are kept in ${cacheRoot()} (KPUSH_LAB_CACHE moves it). The first \`up\` builds a base in a minute or two.
A lab of the command line stays until \`down\`; a lab of a test goes with its process.`;
}
