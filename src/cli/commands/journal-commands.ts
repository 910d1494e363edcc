import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { inputError } from '../../core/errors.ts';
import type { Io } from '../io.ts';
import { styleFor } from '../look.ts';
import { positive } from '../option-groups.ts';
import type { Output } from '../output.ts';
import { writeGiven } from '../write-file.ts';
import { examples } from './run-commands.ts';

/** Where runs are recorded: beside the playbooks they were started from. */
export function journalRoot(io: Io): string {
  return join(io.cwd, '.kpush');
}

export function runsCommand(io: Io, output: Output): Command {
  return new Command('runs')
    .summary('list the runs recorded here')
    .description('Lists the runs recorded in .kpush/runs, newest first.')
    .addOption(new Option('-n, --number <n>', 'how many').argParser(positive).default(20))
    .option('--json', 'as JSON')
    .addHelpText('after', examples('runs', 'runs --json -n 1'))
    .action(async (given: { number: number; json?: boolean }) => {
      const { listRuns } = await import('../../report/journal-read.ts');
      const { runsTable, runsJson } = await import('../../report/runs-table.ts');
      const runs = listRuns(journalRoot(io)).slice(0, given.number);
      output.out(given.json ? runsJson(runs) : runsTable(runs, styleFor(io, io.stdout, {})));
    });
}

export function logsCommand(io: Io, output: Output): Command {
  return new Command('logs')
    .summary('show what a run said')
    .description('Prints the record of a run: every task, and all that its commands printed.')
    .argument('[run]', 'a run, the beginning of its id, or latest', 'latest')
    .argument('[host]', 'only this host')
    .option('-f, --follow', 'go on until the run ends')
    .addHelpText('after', examples('logs', 'logs latest h1', 'logs 20260115-0200 h1 -f'))
    .action(async (run: string, host: string | undefined, given: { follow?: boolean }) => {
      const { findRun } = await import('../../report/journal-read.ts');
      const { printLogs } = await import('../logs.ts');
      const { dir, id, start } = findRun(journalRoot(io), run);
      if (host !== undefined && start && !start.hosts.includes(host)) throw await unknownHost(host, id, start.hosts);
      await printLogs(dir, { host, follow: given.follow === true, output, style: styleFor(io, io.stdout, {}) });
    });
}

export function reportCommand(io: Io, output: Output): Command {
  return new Command('report')
    .summary('write a run as an HTML page')
    .description(
      'Writes a run as one HTML file: timeline, failures, changes with differences, logs. It needs no network.',
    )
    .argument('[run]', 'a run, the beginning of its id, or latest', 'latest')
    .option('-o, --out <file>', 'where to; - is stdout (default RUN.html)')
    .addHelpText('after', examples('report', 'report latest -o night.html'))
    .action(async (run: string, given: { out?: string }) => {
      const { findRun, readJournal } = await import('../../report/journal-read.ts');
      const { htmlReport } = await import('../../report/html.ts');
      const { dir, id } = findRun(journalRoot(io), run);
      const page = htmlReport(readJournal(dir).events);
      const file = given.out ?? `${id}.html`;
      if (file === '-') return output.out(page);
      writeGiven(resolve(io.cwd, file), page, { mode: 0o600 });
      output.out(`${file}\n`);
    });
}

async function unknownHost(host: string, run: string, hosts: string[]) {
  const [{ nearest }, { hostList }] = await Promise.all([
    import('../../core/nearest.ts'),
    import('../../report/host-list.ts'),
  ]);
  const close = nearest(host, hosts);
  return inputError(
    `${host} had no part in run ${run}`,
    close === undefined ? { expected: `one of: ${hostList(hosts)}` } : { nearest: close },
  );
}
