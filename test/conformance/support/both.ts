import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunOptions } from '../../../src/core/options.ts';
import { run } from '../../../src/kpush.ts';
import { tempFolder } from '../../support/temp.ts';

/** What a debug or failing task said: `host › task` → the message, or its status. */
export type Said = string[];

/** Writes the files into a fresh folder and hands it to `use`. */
export async function inFolder<T>(files: Record<string, string>, use: (root: string) => T | Promise<T>): Promise<T> {
  const root = tempFolder('conformance');
  const before = process.cwd();
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    process.chdir(root);
    return await use(root);
  } finally {
    process.chdir(before);
    rmSync(root, { recursive: true });
  }
}

/** Playbooks that only decide (debug, set_fact, include …): nothing is connected to. `args`: -i, -e, -t, --skip-tags, -l. */
export async function kpushSays(args: string): Promise<Said> {
  const said: Said = [];
  const never = new AbortController().signal;
  await run(
    planOptions(args),
    (event) => {
      if (event.type !== 'task' || event.module === 'meta') return;
      const rows = event.items?.length ? event.items : [event];
      for (const row of rows)
        said.push(`${event.host} › ${event.name}: ${row.status === 'ok' ? shown(row.result) : row.status}`);
    },
    { stop: never, close: never, conceal: () => undefined },
  );
  return said.sort();
}

function shown(result: unknown): string {
  const values = result as { msg?: unknown } | undefined;
  return values && 'msg' in values ? json(values.msg) : 'ok';
}

/** With keys in order: Ansible's JSON callback sorts them. */
function json(value: unknown): string {
  const sorted = (_key: string, item: unknown) =>
    item && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item;
  return JSON.stringify(value, sorted);
}

export function planOptions(args: string): RunOptions {
  const words = args.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
  const after = (...flags: string[]) => words.flatMap((word, i) => (flags.includes(word) ? [words[i + 1] ?? ''] : []));
  return {
    verb: 'plan',
    runId: 'conformance',
    inventories: after('-i'),
    playbooks: ['site.yml'],
    limit: after('-l'),
    tags: after('-t'),
    skipTags: after('--skip-tags'),
    startAtTask: after('--start-at-task')[0],
    extraVars: after('-e'),
    check: false,
    diff: false,
    yes: true,
    noProbes: false,
    detailedExitcode: false,
    syntaxCheck: false,
    forceHandlers: false,
    forceUnlock: false,
    askPass: false,
    askBecomePass: false,
    askVaultPass: false,
    vaultPasswordFiles: [],
    vaultIds: [],
    strict: false,
    verbosity: 0,
    output: 'plain',
  };
}

interface AnsibleTask {
  task: { name: string };
  hosts: Record<string, AnsibleResult>;
}
type AnsibleResult = { msg?: unknown; failed?: boolean; skipped?: boolean; results?: AnsibleResult[]; action?: string };

/** The same from ansible-playbook, over local connections. */
export function ansibleSays(args: string, cwd: string): Said {
  const words = args.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
  const env = {
    ...process.env,
    ANSIBLE_STDOUT_CALLBACK: 'json',
    ANSIBLE_DEPRECATION_WARNINGS: '0',
    ANSIBLE_LOCALHOST_WARNING: '0',
  };
  const { stdout, stderr } = spawnSync('ansible-playbook', ['site.yml', '-c', 'local', ...words], {
    cwd,
    encoding: 'utf8',
    env,
  });
  const at = stdout.indexOf('{');
  if (at < 0) throw new Error(`ansible-playbook said: ${stdout}${stderr}`);
  const { plays } = JSON.parse(stdout.slice(at)) as { plays: { tasks: AnsibleTask[] }[] };
  return plays.flatMap(({ tasks }) => tasks.flatMap(saidBy)).sort();
}

function saidBy({ task, hosts }: AnsibleTask): Said {
  const name = task.name.replace(/^[^:]+ : /, '');
  return Object.entries(hosts).flatMap(([host, result]) => {
    const rows = result.results?.length ? result.results : [result];
    return rows.map((row) => `${host} › ${name}: ${statusOf(row, result.action)}`);
  });
}

function statusOf(row: AnsibleResult, action = ''): string {
  if (row.failed) return 'failed';
  if (row.skipped) return 'skipped';
  return action.endsWith('debug') && row.msg !== undefined ? json(row.msg) : 'ok';
}
