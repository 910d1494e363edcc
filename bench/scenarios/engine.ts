import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { moduleTable } from '../../src/cli/tables.ts';
import { Dict, evaluateCondition, standardEnvironment, Undefined, type Value } from '../../src/jinja/index.ts';
import { loadPlaybook } from '../../src/load/playbook.ts';
import { Sources } from '../../src/load/sources.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { limitGoal, type Table } from '../tables.ts';

/** Conditions as playbooks have them. */
const conditions = [
  "ansible_facts.os_family == 'Debian'",
  'kube_version is version("1.24", ">=") and not upgrade | default(false) | bool',
  "inventory_hostname in groups['etcd']",
  'result is changed or result.rc | int > 1',
  'item.name is defined and item.name | length > 0',
  "(addons | selectattr('name', 'equalto', 'dns') | list | length) > 0",
];

/** What the language costs without a host: conditions that are evaluated, and a tree that is read. */
export function engine(evaluations: number, tasks: number, say: (text: string) => void): Promise<Table> {
  say(`  ${evaluations} conditions, a tree of ${tasks} tasks`);
  const evaluating = best(() => evaluateAll(evaluations));
  const parsing = best(() => readTree(tasks));
  return Promise.resolve({
    title: 'The language by itself, milliseconds (best of three)',
    head: ['', 'ms'],
    lines: [
      [`${evaluations} evaluations of typical \`when\` conditions, parsed before`, evaluating.toFixed(0)],
      [`reading a tree of ${tasks} tasks`, parsing.toFixed(0)],
    ],
    goals: [
      limitGoal(`${evaluations} conditions`, evaluating, 100, 'ms'),
      limitGoal(`a tree of ${tasks} tasks`, parsing, 2000, 'ms'),
    ],
  });
}

function best(measure: () => number): number {
  return Math.min(measure(), measure(), measure());
}

function evaluateAll(count: number): number {
  const env = standardEnvironment();
  const values = variables();
  const scope = { get: (name: string) => values.get(name) ?? new Undefined(name), names: () => values.keys() };
  for (const condition of conditions) evaluateCondition(condition, scope, env);
  const began = performance.now();
  for (let i = 0; i < count; i++) evaluateCondition(conditions[i % conditions.length]!, scope, env);
  return performance.now() - began;
}

function variables(): Map<string, Value> {
  const dict = (entries: Record<string, Value>) => new Dict(Object.entries(entries));
  return new Map<string, Value>([
    ['ansible_facts', dict({ os_family: 'Debian' })],
    ['kube_version', '1.28.3'],
    ['inventory_hostname', 'h7'],
    ['groups', dict({ etcd: ['h1', 'h2', 'h7'] })],
    ['result', dict({ changed: false, rc: 0 })],
    ['item', dict({ name: 'x' })],
    ['addons', [dict({ name: 'dns' }), dict({ name: 'cni' })]],
  ]);
}

/** A playbook that imports files of 50 tasks each, read anew. */
function readTree(tasks: number): number {
  const dir = tempFolder('tree');
  try {
    const files = Math.ceil(tasks / 50);
    for (let i = 0; i < files; i++) writeFileSync(join(dir, `tasks-${i}.yml`), taskFile(i));
    const imports = Array.from({ length: files }, (_, i) => `    - import_tasks: tasks-${i}.yml\n`).join('');
    writeFileSync(join(dir, 'site.yml'), `- hosts: all\n  tasks:\n${imports}`);
    const began = performance.now();
    loadPlaybook(join(dir, 'site.yml'), { sources: new Sources({ cwd: dir }), modules: moduleTable });
    return performance.now() - began;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** Names differ from file to file, so that no text is parsed only once. */
function taskFile(file: number): string {
  const task = (n: number) => `- name: "write {{ conf_${file} }} ${n}"
  copy:
    dest: "{{ conf_${file} }}/${n}.conf"
    content: "{{ settings_${file} | to_nice_yaml }}"
    mode: "0644"
  when: enabled_${file}_${n} | default(true) | bool
  notify: restart ${file}
`;
  return Array.from({ length: 50 }, (_, n) => task(n)).join('');
}
