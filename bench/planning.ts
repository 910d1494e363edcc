/** What planning itself costs, without a connection: `node --import tsx bench/planning.ts COUNT changed|same [HOSTS]`. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { planDriver } from '../src/plan/plan-driver.ts';
import { runWaves } from '../src/plan/waves.ts';
import { optimiseLate } from '../src/run/late-optimiser.ts';
import { prepare } from '../src/run/prepare.ts';
import { runOptions } from '../test/lab/support/run.ts';
import { tempFolder } from '../test/support/temp.ts';
import { fakeSite } from './fake-site.ts';

const [count = '200', state = 'changed', hosts = '1', shape = 'tasks'] = process.argv.slice(2);
const site = fakeSite(Number(count), state === 'changed', shape === 'loop');
const names = Array.from({ length: Number(hosts) }, (_, n) => `h${n}`);
const text = stringify([{ hosts: 'all', gather_facts: false, vars: { version: 'v1' }, tasks: site.tasks }]);
const dir = tempFolder('planning');
for (const [name, content] of Object.entries({ 'p.yaml': text, ...site.files }))
  writeFileSync(join(dir, name), content);
const playbook = join(dir, 'p.yaml');
optimiseLate();
const cpu = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;
const began = cpu();
const { tools, plays } = prepare(playbook, runOptions('plan', playbook, `${names.join(',')},`), {
  warn: () => {},
  secrets: {},
});
const loaded = cpu();
let [tasks, changed, asks, keys] = [0, 0, 0, 0];
const asker = {
  ask: async (_on: string, questions: readonly { identity: never; keys: never[] }[]) => {
    asks++;
    return questions.flatMap(({ identity, keys: all }) => {
      keys += all.length;
      return all.map((key) => ({ identity, key, answer: site.answer(key) }));
    });
  },
};
const emit = (event: { type: string; status?: string }) => {
  if (event.type !== 'task') return;
  tasks++;
  if (event.status === 'changed') changed++;
  else if (event.status !== 'ok') throw new Error(JSON.stringify(event).slice(0, 500));
};
let longest = 0;
let last = performance.now();
const tick = () => {
  const now = performance.now();
  longest = Math.max(longest, now - last);
  last = now;
  timer = setImmediate(tick);
};
let timer = setImmediate(tick);
const driver = planDriver(asker, tools, emit as never);
await runWaves({ plays, tools, driver, emit: emit as never, stop: new AbortController().signal });
clearImmediate(timer);
rmSync(dir, { recursive: true });
const seconds = cpu() - loaded;
const megabytes = Math.round(process.memoryUsage().rss / 1e6);
console.log(
  JSON.stringify({
    count: +count,
    state,
    hosts: +hosts,
    load: loaded - began,
    seconds,
    tasks,
    changed,
    asks,
    keys,
    longest,
    megabytes,
  }),
);
