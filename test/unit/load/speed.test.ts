import * as assert from 'uvu/assert';
import { moduleTable } from '../../../src/cli/tables.ts';
import { loadPlaybook } from '../../../src/load/playbook.ts';
import { suite } from '../../support/harness.ts';
import { memorySources } from './support/memory-files.ts';

const speed = suite('load/speed', { timeout: 60_000 });

speed('a tree of 3,000 tasks is read in less than 2 s of processor time', () => {
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`tasks-${n}.yml`, taskFile(n)]));
  const imports = Object.keys(files).map((path) => `    - import_tasks: ${path}\n`);
  const tree = { ...files, 'site.yml': `- hosts: all\n  tasks:\n${imports.join('')}` };
  const spent = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    loadPlaybook('/t/site.yml', {
      sources: memorySources(tree),
      modules: moduleTable,
    });
    return process.cpuUsage(before).user / 1000;
  });
  assert.ok(Math.min(...spent) < 2000, `${spent.map(Math.round).join(', ')} ms`);
});

speed.run();

/** Names differ from file to file, so that no text is parsed only once. */
function taskFile(file: number): string {
  const task = (n: number) => `- name: "write {{ conf_${file} }} ${n}"
  copy: {dest: "{{ conf_${file} }}/${n}.conf", content: "{{ settings_${file} | to_nice_yaml }}", mode: "0644"}
  when: enabled_${file}_${n} | default(true) | bool
  notify: restart ${file}
`;
  return Array.from({ length: 50 }, (_, n) => task(n)).join('');
}
