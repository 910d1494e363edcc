/**
 * `npm run bench [-- --quick] [-- --only NAME]`: everything side by side on lab hosts; writes docs/benchmarks.md and its
 * chart. --quick: fewer runs, no delays beyond 50 ms, small counts.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Field } from './field.ts';
import { run } from './measure.ts';
import { chart, page } from './report.ts';
import { fanOut } from './scenarios/fan-out.ts';
import { byTasks, everythingToChange, nothingToChange, type Table } from './scenarios/playbook.ts';
import { bigFile, startUp } from './scenarios/process.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' } } });
const say = (text: string) => console.log(text);
const wants = (name: string) => !values.only || values.only === name;

say('installing what is compared with');
await install(['ansible-core', 'ansible-mitogen', 'pdsh', 'clustershell', 'openssh-server']);
const field = await Field.open(3);
const tables: Table[] = [];
let tasks: Table | undefined;
try {
  const slow = values.quick ? 1 : 3;
  const delays = values.quick ? [0, 50] : [0, 20, 50, 100, 200];
  if (wants('change')) tables.push(await everythingToChange(field, slow, say));
  if (wants('nothing')) tables.unshift(await nothingToChange(field, delays, slow, say));
  if (wants('tasks'))
    tasks = await byTasks(field, values.quick ? [10, 41, 200] : [10, 41, 200, 1000], values.quick ? 41 : 200, say);
  if (tasks) tables.push(tasks);
  if (wants('fan')) tables.push(await fanOut(values.quick ? [200] : [200, 1000, 5000], say));
  if (wants('file')) tables.push(await bigFile(field, say));
  if (wants('start')) tables.push(await startUp(field, say));
} finally {
  await field.close();
}
const text = page(tables, new Date());
if (values.only) say(text);
else {
  writeFileSync('docs/benchmarks.md', text);
  if (tasks) writeFileSync('docs/benchmarks.svg', chart(tasks));
  say('written: docs/benchmarks.md, docs/benchmarks.svg');
}

async function install(packages: string[]) {
  const { code, output } = await run(['apt-get', 'install', '-y', '--no-install-recommends', ...packages], {
    DEBIAN_FRONTEND: 'noninteractive',
  });
  if (code === 0) return;
  await run(['apt-get', 'update']);
  const again = await run(['apt-get', 'install', '-y', '--no-install-recommends', ...packages], {
    DEBIAN_FRONTEND: 'noninteractive',
  });
  if (again.code !== 0) throw new Error(`cannot install ${packages.join(' ')}: ${output}`);
}
