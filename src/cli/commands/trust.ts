import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Target } from '../../core/session.ts';
import type { Io } from '../io.ts';
import { addOptions } from '../option-groups.ts';
import type { Output } from '../output.ts';
import { askLine } from '../prompt.ts';
import { examples } from './run-commands.ts';

interface Given {
  inventory?: string[];
  limit?: string[];
  extraVars?: string[];
  file?: string;
  accept?: boolean;
}

/** `kpush trust`: the only command that takes keys of hosts on trust, once, for all who work in a folder. */
export function trustCommand(io: Io, output: Output): Command {
  const command = new Command('trust')
    .summary('write down the keys of new hosts, for the whole project')
    .description(
      'Asks every host, and every jump host, whose key is not known for it, shows all keys in one table, and writes\n' +
        'them to ./known_hosts after one yes. kpush reads that file in this folder beside your own known_hosts; keep it\n' +
        'in version control. Keys that are known already are compared; changed ones are named, and never replaced.',
    )
    .option('--file <file>', 'where to write (default ./known_hosts)')
    .option('--accept', 'do not ask: the keys were compared elsewhere')
    .addHelpText('after', examples('trust -i inventory.yaml', 'trust -i inventory.yaml -l new_nodes --accept'))
    .action((given: Given) => run(given, io, output));
  return addOptions(command, 'inventory', 'vars');
}

async function run(given: Given, io: Io, output: Output) {
  const [{ compareKnown, meetStrangers, strangersTable }, { trust }, { projectKnownHosts }, targets] =
    await Promise.all([
      import('../../run/host-trust.ts'),
      import('../../transports/trust.ts'),
      import('../../run/ssh-config.ts'),
      readTargets(given, io),
    ]);
  const file = given.file === undefined ? projectKnownHosts(io.cwd) : resolve(io.cwd, given.file);
  const reading = targets.map((target) => withFile(target, file));
  const { signal } = new AbortController();
  const failed = new Map<string, string>();
  let written = 0;
  // Hosts behind a jump host that is new itself can be met only once that is trusted.
  for (const met = new Set<string>(); ; ) {
    const meeting = await meetStrangers(reading, signal, met);
    for (const { target, error } of meeting.failed) failed.set(target.host, error.message);
    const { strangers } = meeting;
    if (strangers.length === 0) break;
    for (const { name } of strangers) met.add(name);
    output.out(`${strangersTable(strangers)}\n`);
    if (!(await isAgreed(given, io, output, signal))) return output.fail(1);
    for (const stranger of strangers) await trust(stranger, file);
    written += strangers.length;
  }
  for (const { target, error, isKeyError } of await compareKnown(reading, signal)) {
    if (isKeyError) failed.set(target.host, error.message);
    else if (!failed.has(target.host)) output.err(`${error.message}\nIts key is known, and could not be compared.\n`);
  }
  for (const message of failed.values()) output.err(`${message}\n`);
  if (written > 0) output.out(`written to ${file}\n`);
  else if (failed.size === 0) output.out(targets.length > 0 ? 'the keys of all hosts are known\n' : noHosts);
  if (failed.size > 0) output.fail(4);
}

const noHosts = 'no host is reached by ssh, nothing to do (is -i missing?)\n';

async function readTargets({ inventory, extraVars, limit }: Given, io: Io): Promise<Target[]> {
  const [{ readOffline }, { limitedHosts }] = await Promise.all([
    import('../offline.ts'),
    import('../../resolve/limit.ts'),
  ]);
  const read = readOffline({ inventories: inventory ?? [], extraVars: extraVars ?? [], cwd: io.cwd });
  const limited = limitedHosts(limit ?? [], read.inventory, read.sources);
  const hosts = [...read.inventory.hosts.keys()].filter((host) => limited?.has(host) ?? true);
  return hosts.map(read.target).filter(({ transport }) => transport !== 'local');
}

/** The file counts, too, as soon as it is there. */
function withFile(target: Target, file: string): Target {
  const { proxyJump, knownHostsFiles } = target;
  return {
    ...target,
    // The project's keys are for everybody to read.
    hashKnownHosts: false,
    knownHostsFiles: knownHostsFiles.includes(file) ? knownHostsFiles : [...knownHostsFiles, file],
    ...(proxyJump ? { proxyJump: withFile(proxyJump, file) } : {}),
  };
}

async function isAgreed({ accept }: Given, io: Io, output: Output, signal: AbortSignal): Promise<boolean> {
  if (accept) return true;
  if (!io.stdin.isTTY) {
    output.err('Nothing was written: compare the fingerprints, then say --accept.\n');
    return false;
  }
  const answer = await askLine(io, 'Compare the fingerprints. Trust them from now on? [y/N] ', signal);
  const isYes = /^y(es)?$/i.test(answer?.trim() ?? '');
  if (!isYes) output.err('Nothing was written.\n');
  return isYes;
}
