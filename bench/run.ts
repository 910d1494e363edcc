/**
 * `npm run bench [-- --quick|--full] [-- --only NAME,NAME]`: everything side by side on lab hosts; writes
 * docs/benchmarks.md and its charts, and keeps which goals were reached in docs/results/bench.json. Without words in under
 * 20 minutes; --full: the slow ones everywhere, and 5,000 addresses, in an hour; --quick: small counts, nothing is
 * written. --only: some parts, shown; their goals are kept.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { TestReport } from '../test/support/harness.ts';
import { keepResults } from '../test/support/results.ts';
import { chart } from './chart.ts';
import { Field } from './field.ts';
import { run } from './measure.ts';
import { writeReadme } from './readme.ts';
import { page } from './report.ts';
import { engine } from './scenarios/engine.ts';
import { fanOut } from './scenarios/fan-out.ts';
import { largeInventory } from './scenarios/inventory.ts';
import { memory } from './scenarios/memory.ts';
import { planning } from './scenarios/planning.ts';
import { byHosts, byTasks, everythingToChange, nothingToChange } from './scenarios/playbook.ts';
import { bigFile, startUp } from './scenarios/process.ts';
import { tree } from './scenarios/tree.ts';
import type { Table } from './tables.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, full: { type: 'boolean' }, only: { type: 'string' } },
});
const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
const size = values.quick ? 'quick' : values.full ? 'full' : 'usual';

/** What is measured: small, as usual, in full. */
const sizes = {
  quick: {
    delays: { all: [0, 50], slow: [0], slowRuns: 1 },
    tasks: { counts: [10, 41, 200], ansibleUpTo: 41 },
    hosts: { counts: [3, 10], ansibleUpTo: 0 },
    fan: { counts: [50], slowUpTo: 50 },
    memory: { counts: [20, 50], tasks: 41 },
    tree: { hosts: 4, megabytes: 20, rate: '64mbit' },
    inventory: 6000,
    planning: { tasks: [200, 1000], hosts: [20] },
  },
  usual: {
    delays: { all: [0, 20, 50, 100, 200], slow: [0, 50, 200], slowRuns: 1 },
    tasks: { counts: [10, 41, 200, 1000], ansibleUpTo: 41 },
    hosts: { counts: [3, 10, 30], ansibleUpTo: 0 },
    fan: { counts: [200, 1000], slowUpTo: 1000 },
    memory: { counts: [100, 1000], tasks: 200 },
    tree: { hosts: 16, megabytes: 100, rate: '100mbit' },
    inventory: 60_000,
    planning: { tasks: [200, 1000, 2000, 10_000], hosts: [200] },
  },
  full: {
    delays: { all: [0, 20, 50, 100, 200], slow: [0, 20, 50, 100, 200], slowRuns: 3 },
    tasks: { counts: [10, 41, 200, 1000], ansibleUpTo: 200 },
    hosts: { counts: [3, 10, 30], ansibleUpTo: 30 },
    fan: { counts: [200, 1000, 5000], slowUpTo: 1000 },
    memory: { counts: [100, 500, 1000], tasks: 200 },
    tree: { hosts: 16, megabytes: 100, rate: '100mbit' },
    inventory: 60_000,
    planning: { tasks: [200, 1000, 2000, 10_000], hosts: [200, 1000] },
  },
}[size];

/** Each part: its table. Those that get a field share three lab hosts. */
const parts: Record<string, (() => Promise<Table>) | ((field: Field) => Promise<Table>)> = {
  nothing: (field: Field) => nothingToChange(field, sizes.delays, say),
  change: (field: Field) => everythingToChange(field, sizes.delays.slowRuns, say),
  tasks: (field: Field) => byTasks(field, sizes.tasks.counts, sizes.tasks.ansibleUpTo, say),
  file: (field: Field) => bigFile(field, say),
  start: (field: Field) => startUp(field, say),
  hosts: () => byHosts(sizes.hosts.counts, sizes.hosts.ansibleUpTo, say),
  fan: () => fanOut(sizes.fan.counts, sizes.fan.slowUpTo, say),
  memory: () => memory(sizes.memory.counts, sizes.memory.tasks, say),
  tree: () => tree(sizes.tree, say),
  inventory: () => largeInventory(sizes.inventory, say),
  engine: () => engine(10_000, 3000, say),
  planning: () => planning(sizes.planning.tasks, sizes.planning.hosts, say),
};
const chosen = values.only?.split(',') ?? Object.keys(parts);
for (const name of chosen)
  if (!(name in parts)) throw new Error(`no part ${name}; there are ${Object.keys(parts).join(', ')}`);

say('building, and installing what is compared with');
await done(['npm', 'run', 'build']);
await install(['ansible-core', 'ansible-mitogen', 'pdsh', 'clustershell', 'openssh-server']);
const tables = new Map<string, Table>();
await inTheField();
for (const name of chosen) if (parts[name]!.length === 0) await measured(name, parts[name] as () => Promise<Table>);
const command = `npm run bench${size === 'usual' ? '' : ` -- --${size}`}`;
const text = page([...tables.values()], command, new Date());
if (size !== 'quick') keepGoals();
if (values.only || size === 'quick') console.log(text);
else write();

function keepGoals() {
  const goals = [...tables.values()].flatMap((table) => table.goals ?? []);
  const reports: TestReport[] = goals.map(({ what, goal, found, reached }) => ({
    id: `bench › ${what}`,
    file: 'bench/run.ts',
    ms: 0,
    ...(reached ? {} : { error: `${goal} wanted, ${found} found` }),
  }));
  keepResults('bench', reports, !values.only);
}

async function inTheField() {
  const names = chosen.filter((name) => parts[name]!.length > 0);
  if (names.length === 0) return;
  const field = await Field.open(3);
  try {
    for (const name of names) await measured(name, () => parts[name]!(field));
  } finally {
    await field.close();
  }
}

/** A part that cannot be measured is said so, and does not take the others along. */
async function measured(name: string, measure: () => Promise<Table>) {
  say(name);
  try {
    tables.set(name, await measure());
  } catch (error) {
    process.exitCode = 1;
    say(`  ${name} failed: ${(error as Error).stack}`);
    tables.set(name, {
      title: name,
      note: `Could not be measured: ${(error as Error).message}`,
      head: [''],
      lines: [],
    });
  }
}

function write() {
  writeFileSync('docs/benchmarks.md', text);
  writeReadme([tables.get('nothing'), tables.get('change')], new Date());
  const charts = {
    tasks: ['Nothing to change, 3 hosts', 'tasks'],
    hosts: ['41 tasks, nothing to change', 'hosts'],
  } as const;
  for (const [name, [title, unit]] of Object.entries(charts)) {
    const series = tables.get(name)?.series ?? [];
    if (series.length > 0) writeFileSync(`docs/images/benchmarks-${name}.svg`, chart(title, unit, series));
  }
  say('written: docs/benchmarks.md, docs/images/benchmarks-*.svg');
}

async function install(packages: string[]) {
  const words = ['apt-get', 'install', '-y', '--no-install-recommends', ...packages];
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  if ((await run(words, env)).code === 0) return;
  await done(['apt-get', 'update']);
  const again = await run(words, env);
  if (again.code !== 0) throw new Error(`cannot install ${packages.join(' ')}: ${again.output}`);
}

async function done(argv: string[]) {
  const { code, output } = await run(argv);
  if (code !== 0) throw new Error(`${argv.join(' ')}: ${output}`);
}
