import { join } from 'node:path';
import { build } from 'esbuild';
import { tempFolder } from '../../test/support/temp.ts';
import { run } from '../measure.ts';
import { type Goal, limitGoal, type Table } from '../tables.ts';

interface Planned {
  count: number;
  seconds: number;
  load: number;
  longest: number;
  megabytes: number;
}

/** What planning itself costs, without any connection: CPU seconds by tasks, all or none of them to change. */
export async function planning(counts: number[], hosts: number[], say: (text: string) => void): Promise<Table> {
  const lines: string[][] = [];
  const goals: Goal[] = [];
  const program = await bundled();
  const line = async (label: string, args: string[]) => {
    const found = await planned(program, args);
    say(`  planning, ${label}: ${found.seconds.toFixed(2)} s`);
    const each = (1000 * found.seconds) / found.count;
    lines.push([label, found.seconds.toFixed(2), each.toFixed(3), found.longest.toFixed(0), `${found.megabytes}`]);
    return found;
  };
  for (const count of counts) {
    const { seconds } = await line(`${count} tasks, all to change`, [`${count}`, 'changed']);
    if (count === 2000) goals.push(limitGoal('planning 2,000 changed tasks', seconds * 1000, 2000, 'ms CPU'));
    await line(`${count} tasks, none to change`, [`${count}`, 'same']);
  }
  await line('a loop of 10000 items, all to change', ['10000', 'changed', '1', 'loop']);
  for (const count of hosts) await line(`41 tasks × ${count} hosts, none to change`, ['41', 'same', `${count}`]);
  const head = ['', 'CPU seconds', 'ms a task', 'longest turn of the event loop, ms', 'MB'];
  const note =
    'Files, templates, lines and links, mixed, on hosts that exist only as answers. Bundled as kpush is. Figures of one run each.';
  return { title: 'Planning without a connection', note, head, lines, goals };
}

/** In one file: what is loaded late would be compiled in what is measured. */
async function bundled(): Promise<string> {
  const outfile = join(tempFolder('planning-bundle'), 'planning.mjs');
  const late =
    "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url), __dirname = '.';";
  await build({
    ...{ entryPoints: ['bench/planning.ts'], outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20' },
    ...{ external: ['cpu-features', '*.node'], logLevel: 'error', banner: { js: late } },
    define: { 'import.meta.url': JSON.stringify(new URL('../planning.ts', import.meta.url).href) },
  });
  return outfile;
}

async function planned(program: string, args: string[]): Promise<Planned> {
  const { code, output } = await run([process.execPath, program, ...args]);
  if (code !== 0) throw new Error(`bench/planning.ts ${args.join(' ')}: ${output.slice(-500)}`);
  return JSON.parse(output.trim().split('\n').at(-1)!) as Planned;
}
