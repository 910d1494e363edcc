import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { scratch, yamlFile } from './support/inventory.ts';
import { complaints, kpush, runOptions } from './support/run.ts';

/** Whose shell a step runs in, seen in the files of each machine: everything is known before the first step runs. */
const test = suite('delegation', { timeout: 180_000 });
const dir = scratch('delegation');
const hosts = ['h1', 'h2', 'h3'];
let lab: Lab;

/** Each step adds who it is for, and where it really ran, to a file of the machine that it runs on. */
const step = (name: string, to?: string) => ({
  shell: `echo "$(hostname) ${name} for {{ inventory_hostname }}" >>/root/steps`,
  ...(to === undefined ? {} : { delegate_to: to }),
});
const write = (name: string, to?: string) => ({
  copy: { dest: `/root/${name}-{{ inventory_hostname }}`, content: '{{ inventory_hostname }}', mode: '0644' },
  ...(to === undefined ? {} : { delegate_to: to }),
});
const tasks = [
  write('a'),
  write('b', 'h1'),
  write('c'),
  step('d', 'h2'),
  step('e'),
  step('f', 'localhost'),
  write('g'),
  { ...write('h', '{{ item }}'), loop: hosts },
  step('i'),
];

for (const strategy of ['free', 'linear'])
  for (const batch of ['h3', 'h1:h2:h3'])
    test(`${strategy}, ${batch}: every step runs on its own machine`, async () => {
      lab ??= await Lab.up({ hosts: 3 });
      for (const host of hosts) await lab.sh(host, 'rm -f /root/steps /root/?-h?');
      const local = `${dir}/steps-${strategy}-${batch.length}`;
      const here = tasks.map((task) =>
        'delegate_to' in task && task.delegate_to === 'localhost'
          ? { ...task, shell: `echo "{{ inventory_hostname }}" >>${local}` }
          : task,
      );
      const play = { hosts: batch, strategy, gather_facts: false, tasks: here };
      const ran = await kpush(runOptions('apply', yamlFile(dir, 'site.yaml', [play]), lab.inventoryPath));
      assert.is(ran.exit, 0, complaints(ran));
      const names = batch.split(':');
      for (const host of hosts) assert.equal(await found(host), expected(host, names), host);
      assert.equal(readFileSync(local, 'utf8').trim().split('\n').sort(), names);
    });

test.run();

async function found(host: string): Promise<string[]> {
  return (await lab.sh(host, 'cd /root; cat steps 2>/dev/null | sort; ls ?-h? 2>/dev/null || :')).trim().split('\n');
}

function expected(host: string, names: string[]): string[] {
  const own = names.includes(host);
  const steps = names.flatMap((name) => [
    ...(host === 'h2' ? [`${host} d for ${name}`] : []),
    ...(name === host ? ['e', 'i'].map((step) => `${host} ${step} for ${name}`) : []),
  ]);
  const files = names.flatMap((name) => [
    ...(own && name === host ? ['a', 'c', 'g'].map((file) => `${file}-${name}`) : []),
    ...(host === 'h1' ? [`b-${name}`] : []),
    `h-${name}`,
  ]);
  return [...steps.sort(), ...files.sort()];
}
