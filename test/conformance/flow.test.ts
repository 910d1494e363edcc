import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { RunEvent, TaskEvent } from '../../src/core/events.ts';
import { run } from '../../src/kpush.ts';
import { suite } from '../support/harness.ts';
import { splitFiles } from '../unit/load/support/memory-files.ts';
import { inFolder, planOptions } from './support/both.ts';

const test = suite('flow as ansible-playbook runs it', { timeout: 240_000 });
const folder = new URL('./flow/', import.meta.url).pathname;

// Each file is a playbook that really runs, on local connections: who failed, what was skipped, changed, handled, and
// how the run ended must be the same. Exit codes are compared through docs/variables.md's table (here: all equal).
for (const name of readdirSync(folder).sort())
  test(name.replace(/\.txt$/, ''), async () => {
    const { ARGS = '-i hosts', ...files } = splitFiles(readFileSync(folder + name, 'utf8'));
    const all = { hosts: 'h[1:4] ansible_connection=local ansible_python_interpreter=/usr/bin/python3\n', ...files };
    const [ours, theirs] = await inFolder(all, async () => [await kpush(ARGS), ansible(ARGS)] as const);
    assert.is(ours, theirs);
  });
test.run();

async function kpush(args: string): Promise<string> {
  const events: RunEvent[] = [];
  const never = new AbortController().signal;
  const options = { ...planOptions(args), verb: 'apply' as const, runId: `flow${process.pid}` };
  const { exit } = await run(options, (event) => events.push(event), { stop: never, close: never, conceal: () => {} });
  const tasks = events.filter((e): e is RunEvent & TaskEvent => e.type === 'task' && e.module !== 'meta');
  return text(tasks.flatMap(rowsOf), exit);
}

function rowsOf(event: TaskEvent): string[] {
  const rows = event.items?.length ? event.items : [event];
  return rows.map((row) => `${event.host} › ${event.name}: ${row.status}${said(event.module, row.result)}`);
}

interface Values {
  msg?: unknown;
  failed?: boolean;
  skipped?: boolean;
  changed?: boolean;
  attempts?: number;
  rc?: number;
  results?: Values[];
  action?: string;
  unreachable?: boolean;
}

function said(module: string, result: unknown): string {
  const values = (result ?? {}) as Values;
  if (values.skipped) return '';
  const parts = [
    values.attempts === undefined ? '' : ` attempts=${values.attempts}`,
    values.rc === undefined ? '' : ` rc=${values.rc}`,
    speaks(module, values) ? ` ${JSON.stringify(values.msg)}` : '',
  ];
  return parts.join('');
}

/** Whose words are the playbook's own; an undefined variable is told in each tool's own words. */
function speaks(module: string, { failed }: Values): boolean {
  return module === 'fail' || module === 'assert' || (module === 'debug' && !failed);
}

function ansible(args: string): string {
  const env = { ...process.env, ANSIBLE_STDOUT_CALLBACK: 'json', ANSIBLE_DEPRECATION_WARNINGS: '0' };
  const { stdout, stderr, status } = spawnSync('ansible-playbook', ['site.yml', ...args.split(/\s+/).filter(Boolean)], {
    encoding: 'utf8',
    env,
  });
  const at = stdout.indexOf('{');
  if (at < 0) throw new Error(`ansible-playbook said: ${stdout}${stderr}`);
  const { plays } = JSON.parse(stdout.slice(at)) as {
    plays: { tasks: { task: { name: string }; hosts: Record<string, Values> }[] }[];
  };
  const rows = plays.flatMap(({ tasks }) =>
    tasks.flatMap(({ task, hosts }) =>
      Object.entries(hosts).flatMap(([host, values]) => theirRows(host, task.name, values)),
    ),
  );
  return text(
    rows.filter((row) => !row.includes(' › meta: ')),
    status ?? -1,
  );
}

function theirRows(host: string, name: string, values: Values): string[] {
  const rows = values.results?.length ? values.results : [values];
  const module = (values.action ?? '').split('.').pop()!;
  return rows.map((row) => `${host} › ${name}: ${statusOf(row)}${said(module, row)}`);
}

function statusOf(row: Values): string {
  if (row.unreachable) return 'unreachable';
  if (row.failed) return 'failed';
  if (row.skipped) return 'skipped';
  return row.changed ? 'changed' : 'ok';
}

/** Order between hosts is each tool's own; order on one host is not. */
function text(rows: string[], exit: number): string {
  const hosts = [...new Set(rows.map((row) => row.split(' › ')[0]!))].sort();
  return [...hosts.flatMap((host) => rows.filter((row) => row.startsWith(`${host} › `))), `exit ${exit}`].join('\n');
}
