/**
 * `npm run bench [-- --quick] [-- --only NAME,NAME]`: everything side by side on lab hosts; writes docs/benchmarks.md and
 * its charts. --quick: fewer runs, no delay beyond 50 ms, small counts. --only: some parts, shown but not written.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chart } from './chart.ts';
import { Field } from './field.ts';
import { run } from './measure.ts';
import { page } from './report.ts';
import { engine } from './scenarios/engine.ts';
import { fanOut } from './scenarios/fan-out.ts';
import { largeInventory } from './scenarios/inventory.ts';
import { memory } from './scenarios/memory.ts';
import { planning } from './scenarios/planning.ts';
import { byHosts, byTasks, everythingToChange, nothingToChange } from './scenarios/playbook.ts';
import { bigFile, startUp } from './scenarios/process.ts';
import type { Table } from './tables.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' } } });
const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
const quick = values.quick === true;

/** Each part: its table. Those that get a field share three lab hosts. */
const parts: Record<string, (() => Promise<Table>) | ((field: Field) => Promise<Table>)> = {
  nothing: (field: Field) =>
    nothingToChange(
      field,
      quick
        ? { all: [0, 50], slow: [0], slowRuns: 1 }
        : { all: [0, 20, 50, 100, 200], slow: [0, 50, 200], slowRuns: 1 },
      say,
    ),
  change: (field: Field) => everythingToChange(field, 1, say),
  tasks: (field: Field) => byTasks(field, quick ? [10, 41, 200] : [10, 41, 200, 1000], quick ? 41 : 200, say),
  file: (field: Field) => bigFile(field, say),
  start: (field: Field) => startUp(field, say),
  hosts: () => byHosts(quick ? [3, 10] : [3, 10, 30], quick ? 0 : 10, say),
  fan: () => fanOut(quick ? [200] : [200, 1000, 5000], quick ? 200 : 1000, say),
  memory: () => memory(quick ? [50, 100] : [200, 500, 1000], quick ? 41 : 200, say),
  inventory: () => largeInventory(quick ? 6000 : 60_000, say),
  engine: () => engine(10_000, 3000, say),
  planning: () => planning(quick ? [200, 1000] : [200, 1000, 2000, 10_000], quick ? [20] : [200, 1000], say),
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
const command = `npm run bench${quick ? ' -- --quick' : ''}`;
const text = page([...tables.values()], command, new Date());
if (values.only) console.log(text);
else write();

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
