import * as assert from 'uvu/assert';
import type { Play, Role, Task, TaskTree } from '../../../src/core/play.ts';
import { dynamicLoader } from '../../../src/load/dynamic.ts';
import { loadPlaybook } from '../../../src/load/playbook.ts';
import { suite } from '../../support/harness.ts';
import { caught } from './support/caught.ts';
import { cpuMs } from './support/cpu.ts';
import { memorySources } from './support/memory-files.ts';
import { modules } from './support/modules.ts';

const test = suite('load/playbook');

function load(files: Record<string, string>, options: { strict?: boolean } = {}) {
  return loadPlaybook('site.yml', { sources: memorySources(files), modules, rolesPath: [], ...options });
}
const tasks = (text: string) => load({ 'site.yml': `- hosts: all\n  tasks:\n${text}` }).playbook.plays[0]!;
const first = (text: string) => own(tasks(text))[0] as Task;
const own = (play: Play) => play.tasks.filter((tree) => tree.kind === 'block' || !tree.implicit);
const params = (task: Task) => Object.fromEntries((task.params?.value ?? new Map()) as Map<string, unknown>);

/** A tree in one line: blocks in brackets, tasks by name or module. */
function shape(trees: TaskTree[]): string {
  return trees.map((tree) => (tree.kind === 'task' ? nameOf(tree) : section(tree))).join(' ');
}
const nameOf = (task: Task) => (task.implicit ? '!' : String(task.name?.value ?? task.module));
function section(tree: Extract<TaskTree, { kind: 'block' }>): string {
  const when = tree.keywords.when?.map((node) => node.value).join('&') ?? '';
  const parts = [
    shape(tree.block),
    tree.rescue.length ? `rescue ${shape(tree.rescue)}` : '',
    tree.always.length ? `always ${shape(tree.always)}` : '',
  ];
  return `${tree.role?.name ?? ''}${when ? `?${when}` : ''}(${parts.filter((part) => part !== '').join(' ')})`;
}

// One line of a task → its module, parameters and free text.
const actions: [string, string, Record<string, unknown>, string | undefined][] = [
  ['copy: {src: a, dest: /b}', 'copy', { src: 'a', dest: '/b' }, undefined],
  ['ansible.builtin.copy: {src: a, dest: /b}', 'copy', { src: 'a', dest: '/b' }, undefined],
  ['ansible.legacy.command: ls -l', 'command', {}, 'ls -l'],
  ['ansible.posix.mount: {path: /m, state: absent}', 'mount', { path: '/m', state: 'absent' }, undefined],
  ['community.general.modprobe: {name: br_netfilter}', 'modprobe', { name: 'br_netfilter' }, undefined],
  ['kubernetes.core.k8s: {state: present}', 'kubernetes.core.k8s', { state: 'present' }, undefined],
  ['copy: src=a dest="/b c" mode=0644', 'copy', { src: 'a', dest: '/b c', mode: '0644' }, undefined],
  [
    "file: path=/x state={{ 'a b' if x else 'c' }}",
    'file',
    { path: '/x', state: "{{ 'a b' if x else 'c' }}" },
    undefined,
  ],
  ['shell: echo "a=b" > /x creates=/x chdir="/a b"', 'shell', { creates: '/x', chdir: '/a b' }, 'echo "a=b" > /x'],
  [
    'command: echo {{ x | default("a b=c") }} removes=/y',
    'command',
    { removes: '/y' },
    'echo {{ x | default("a b=c") }}',
  ],
  ['shell: FOO=bar env', 'shell', {}, 'FOO=bar env'],
  ['command: {cmd: ls, chdir: /}', 'command', { cmd: 'ls', chdir: '/' }, undefined],
  ['action: copy src=a dest=/b', 'copy', { src: 'a', dest: '/b' }, undefined],
  ['action: {module: copy, src: a, dest: /b}', 'copy', { src: 'a', dest: '/b' }, undefined],
  ['local_action: command ls', 'command', {}, 'ls'],
  ['set_fact: a=1 b="{{ c }} d"', 'set_fact', { a: '1', b: '{{ c }} d' }, undefined],
  ['setup:', 'setup', {}, undefined],
  ['meta: flush_handlers', 'meta', {}, 'flush_handlers'],
  ['include_tasks: a.yml', 'include_tasks', {}, 'a.yml'],
  ['raw: reboot', 'raw', {}, 'reboot'],
];
for (const [line, module, want, freeForm] of actions)
  test(line, () => {
    const task = first(`    - ${line}\n`);
    assert.equal([task.module, params(task), task.freeForm?.value], [module, want, freeForm]);
  });

test('args: joins the parameters, which win', () => {
  const task = first('    - shell: ls\n      args: {chdir: /a, creates: /b}\n');
  assert.equal([params(task), task.freeForm?.value], [{ chdir: '/a', creates: '/b' }, 'ls']);
  assert.equal(params(first('    - copy: {dest: /own}\n      args: {src: a, dest: /args}\n')), {
    src: 'a',
    dest: '/own',
  });
});
test('k=v values know their place', () => {
  const task = first('    - copy: src=a dest=/b\n');
  assert.equal(task.params?.entries?.get('dest')?.node.origin, { file: 'site.yml', line: 3, column: 24 });
});
test('local_action is delegated to localhost', () =>
  assert.is(first('    - local_action: command ls\n').keywords.delegateTo?.value, 'localhost'));

test('an unknown module is listed, and an error only under --strict', () => {
  const files = { 'site.yml': '- hosts: all\n  tasks:\n    - {name: x, quux: {a: 1}}\n' };
  assert.equal(
    load(files).loading.unknownModules.map(({ name }) => name),
    ['quux'],
  );
  assert.match(caught(() => load(files, { strict: true })).message, /kpush has no module 'quux'/);
});

test('sections, flush points, blocks', () => {
  const play = load({
    'site.yml': `- hosts: all
  pre_tasks: [{name: pre, debug: {msg: x}}]
  tasks:
    - name: b
      when: a
      block: [{name: t, debug: {msg: x}}]
      rescue: [{name: r, debug: {msg: x}}]
      always: [{name: e, debug: {msg: x}}]
  post_tasks: [{name: post, debug: {msg: x}}]
  handlers: [{name: h, debug: {msg: x}, listen: topic}]
`,
  }).playbook.plays[0]!;
  assert.is(shape(play.tasks), 'pre ! ?a(t rescue r always e) ! post !');
  assert.equal(
    play.handlers.map((tree) => tree.kind === 'task' && tree.handler),
    [true],
  );
});

const roleFiles = {
  'roles/a/meta/main.yml': 'dependencies: [{role: base, when: c1, tags: [x], vars: {v: 1}}]\n',
  'roles/a/tasks/main.yml': '- {name: a1, debug: {msg: x}}\n- import_tasks: more.yml\n',
  'roles/a/tasks/more.yml': '- {name: a2, debug: {msg: x}}\n',
  'roles/a/handlers/main.yml': '- {name: ah, debug: {msg: x}}\n',
  'roles/a/defaults/main.yml': 'd: 1\n',
  'roles/a/vars/main/one.yml': 'v1: 1\n',
  'roles/a/vars/main/two.yml': 'v2: 2\n',
  'roles/base/tasks/main.yml': '- {name: b1, debug: {msg: x}}\n',
  'roles/base/tasks/other.yml': '- {name: b2, debug: {msg: x}}\n',
  'roles/base/handlers/main.yml': '- {name: bh, debug: {msg: x}}\n',
  'roles/dup/meta/main.yaml': 'allow_duplicates: yes\n',
  'roles/dup/tasks/main.yml': '- {name: dup, debug: {msg: x}}\n',
};

test('roles: dependencies first, each as often as it is named, handlers once, keywords as blocks around', () => {
  const play = load({
    ...roleFiles,
    'site.yml':
      '- hosts: all\n  roles:\n    - a\n    - {role: a}\n    - {role: a, when: c2, p: 1}\n    - dup\n    - dup\n    - {role: base, when: c1, tags: [x], vars: {v: 1}}\n  handlers: [{name: own, debug: {msg: x}}]\n',
  }).playbook.plays[0]!;
  const a = 'base?c1(b1) a1 a(a2)';
  assert.is(shape(own(play)), `a(${a}) a(${a}) a?c2(${a}) dup(dup) dup(dup) base?c1(b1)`);
  const marks = play.tasks.flatMap((tree) => (tree.kind === 'block' && tree.role ? [tree.ends] : []));
  assert.is(marks[0], marks[1]);
  assert.is(new Set(marks).size, 4, 'two of a, one of base, and none of dup');
  assert.is(shape(play.handlers), 'a(base?c1(bh) ah) a?c2(ah) own');
  const role = play.roles[0] as Role;
  assert.equal([role.name, role.path, role.dependencies.map((each) => each.name)], ['a', '/t/roles/a', ['base']]);
  assert.equal([...(role.vars?.entries?.keys() ?? [])], ['v1', 'v2']);
  assert.equal(
    role.dependencies[0]?.chain.map((each) => each.name),
    ['a'],
  );
  assert.equal(role.dependencies[0]?.entryVars?.value, new Map([['v', 1]]));
  assert.equal(play.roles.find((each) => each.params)?.params?.value, new Map([['p', 1]]));
});

test('import_role: tasks_from, its variables for the play, its handlers behind the own', () => {
  const play = load({
    ...roleFiles,
    'site.yml':
      '- hosts: all\n  vars: {which: other}\n  tasks:\n    - import_role: {name: base, tasks_from: "{{ which }}"}\n      when: c\n  handlers: [{name: own, debug: {msg: x}}]\n',
  }).playbook.plays[0]!;
  assert.is(shape(own(play)), 'base?c(base(b2))');
  assert.is(shape(play.handlers), 'own base(bh)');
  assert.equal(
    play.roles.map((role) => role.name),
    ['base'],
  );
});

test('import_playbook: conditions, tags and variables reach its plays', () => {
  const { plays } = load({
    'site.yml': '- import_playbook: sub/other.yml\n  when: c\n  tags: [t]\n  vars: {a: import, b: 2}\n',
    'sub/other.yml': '- hosts: all\n  tags: [own]\n  vars: {a: play, c: 3}\n  tasks: [{import_tasks: near.yml}]\n',
    'sub/near.yml': '- {name: near, debug: {msg: x}}\n',
  }).playbook;
  const [play] = plays;
  assert.is(play?.file, '/t/sub/other.yml');
  assert.equal(
    play?.keywords.when?.map((node) => node.value),
    ['c'],
  );
  assert.equal(
    play?.keywords.tags?.map((node) => node.value),
    ['t', 'own'],
  );
  assert.equal(
    play?.keywords.vars?.value,
    new Map<string, unknown>([
      ['a', 'import'],
      ['c', 3],
      ['b', 2],
    ]),
  );
});

test('the same files give the same ids', () => {
  const files = { ...roleFiles, 'site.yml': '- hosts: all\n  roles: [a]\n' };
  const idsOf = (tree: TaskTree): string =>
    tree.kind === 'task' ? tree.id : `${tree.id}(${tree.block.map(idsOf).join(' ')})`;
  const ids = () =>
    load(files)
      .playbook.plays.flatMap((play) => [...play.tasks, ...play.handlers].map(idsOf))
      .join(' ');
  assert.is(ids(), ids());
});

test('dynamic includes: files near the task, ids of their own, roles with what they depend on', () => {
  const { playbook, loading } = load({
    ...roleFiles,
    'site.yml': '- hosts: all\n  roles: [base]\n  tasks: [{include_tasks: x.yml}, {include_role: {name: a}}]\n',
    'roles/a/meta/main.yml': 'dependencies: [base]\n',
    'tasks/x.yml': '- {name: x1, debug: {msg: x}}\n',
  });
  const loader = dynamicLoader(playbook, loading);
  const [include, role] = own(playbook.plays[0]!).filter((tree): tree is Task => tree.kind === 'task');
  const loaded = loader.tasks(include!, 'x.yml', `${include!.id}@1`);
  assert.is(shape(loaded), 'x1');
  assert.is(loaded[0]?.id, `${include!.id}@1.t1`);
  assert.is(loader.tasks(include!, 'x.yml', `${include!.id}@1`), loaded);
  assert.is(shape(loader.role(role!, { name: 'a' }, `${role!.id}@2`).tasks), 'a(base(b1) a1 a(a2))');
  assert.is(caught(() => loader.tasks(include!, 'y.yml', 'p')).facts.nearest, 'x.yml');
});

test('include_vars reads files and folders', () => {
  const { playbook, loading } = load({
    'site.yml': '- hosts: all\n  tasks: [{include_vars: {dir: d}}]\n',
    'vars/d/10-a.yml': 'a: 1\nb: 1\n',
    'vars/d/20-b.json': '{"b": 2}',
    'vars/d/30-c.txt': 'no',
    'vars/d/sub/c.yaml': 'c: 3\n',
  });
  const [task] = own(playbook.plays[0]!) as Task[];
  const loader = dynamicLoader(playbook, loading);
  const names = (params: Parameters<typeof loader.vars>[1]) => [
    ...((loader.vars(task!, params).value as Map<string, number>) ?? []),
  ];
  assert.equal(names({ dir: 'd' }), [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
  assert.equal(names({ dir: 'd', depth: 1, extensions: ['json'] }), [['b', 2]]);
  assert.equal(names({ dir: 'd', filesMatching: '10' }), [
    ['a', 1],
    ['b', 1],
  ]);
  assert.equal(names({ file: 'd/20-b.json' }), [['b', 2]]);
});

test(
  '3,000 tasks are read in two seconds',
  () => {
    const task = (i: number) =>
      `- name: task ${i}\n  copy: {dest: "/etc/x{{ i }}", content: "{{ a | default('b') }} ${i}", mode: '0644'}\n  when: x_${i % 50} is defined and y == ${i}\n  tags: [a, b]\n`;
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, f) => [
        `tasks/${f}.yml`,
        Array.from({ length: 100 }, (_each, i) => task(f * 100 + i)).join(''),
      ]),
    );
    const imports = Array.from({ length: 30 }, (_, f) => `    - import_tasks: tasks/${f}.yml\n`).join('');
    const taken = cpuMs(() => load({ ...files, 'site.yml': `- hosts: all\n  tasks:\n${imports}` }));
    assert.ok(taken < 2000, `${taken} ms`);
  },
  { timeout: 20_000 },
);
test.run();
