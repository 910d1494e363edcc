import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { coverage } from '../../../src/cli/coverage/coverage.ts';
import { coverageText } from '../../../src/cli/coverage/text.ts';
import { lint } from '../../../src/cli/lint.ts';
import { createStyle } from '../../../src/report/style.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';

const test = suite('coverage of a tree');

const tree = {
  'site.yml': `- hosts: all
  roles: [good, bad]
  tasks:
    - block:
        - copy: {dest: /etc/x, content: "{{ x | default('y') }}"}
        - nothing_like_it: {}
      when: x is defined
`,
  'tasks/loose.yml': '- debug: {msg: "{{ x | no_such_filter }}"}\n- debug: {msg: ok}\n',
  'vars.yml': 'x: 1\n',
  'more/again.yml': '- hosts: all\n  tasks: [{import_tasks: tasks/t.yml}]\n',
  'more/tasks/t.yml': '- debug: {msg: t}\n',
  'roles/good/tasks/main.yml': '- import_tasks: other.yml\n- template: {src: a.j2, dest: /etc/a}\n',
  'roles/good/tasks/other.yml': '- command: "true"\n  when: v is version("1.0", ">=")\n',
  'roles/good/handlers/main.yml': '- {name: h, service: {name: x, state: restarted}, listen: topic}\n',
  'roles/good/templates/a.j2': "{% for k, v in d | dictsort %}{{ k }}{{ lookup('env', 'HOME') }}{% endfor %}\n",
  'roles/bad/tasks/main.yml': `- copy: {dest: /etc/x, kontent: x}
- debug: {msg: "{{ lookup('hashi_vault', 'x') }}"}
- firewalld: {port: 6443/tcp, state: enabled}
- debug: {msg: x}
  whenn: true
- debug: {msg: x}
  when: x is no_such_test
`,
  'roles/bad/defaults/main.yml': 'a: "{{ b | worse }}"\n',
  'roles/bad/templates/broken.j2': 'x\n{% if %}\n',
};

test('tasks, whole units and what is lacking, each with its places', () =>
  inTree((folder) => {
    const found = coverage('.', folder);
    assert.equal(found.tasks, { covered: 8, total: 15, percent: 53.3 });
    assert.equal(found.units, { covered: 2, total: 4, percent: 50 });
    assert.equal(
      found.unit.map(({ kind, name, covered }) => `${kind} ${name} ${covered}`),
      [
        'role roles/bad false',
        'role roles/good true',
        'playbook more/again.yml true',
        'tasks more/tasks/t.yml true',
        'playbook site.yml false',
        'tasks tasks/loose.yml false',
      ],
    );
    const lacks = found.blockers.map(({ kind, name, places }) =>
      [kind, name, places[0]?.file, places[0]?.line].join(' '),
    );
    assert.equal(lacks.filter((line) => !line.startsWith('error')).sort(), [
      'filter no_such_filter tasks/loose.yml 1',
      'filter worse roles/bad/defaults/main.yml 1',
      'keyword whenn roles/bad/tasks/main.yml 5',
      'lookup hashi_vault roles/bad/tasks/main.yml 2',
      'module firewalld roles/bad/tasks/main.yml 3',
      'module nothing_like_it site.yml 6',
      'parameter copy.kontent roles/bad/tasks/main.yml 1',
      'test no_such_test roles/bad/tasks/main.yml 7',
    ]);
    assert.match(lacks.filter((line) => line.startsWith('error')).join('\n'), /template error.*broken\.j2 2/);
  }));

test('the text names each place and the nearest way to say it', () =>
  inTree((folder) => {
    const text = coverageText(coverage('.', folder), createStyle({ color: false, unicode: true }), false);
    assert.match(
      text,
      /module firewalld {2}1×\n {2}write 'command: firewall-cmd .*\n {2}roles\/bad\/tasks\/main\.yml:3\n/,
    );
    assert.match(text, /parameter copy\.kontent {2}1×\n {2}did you mean 'content'\?/);
    assert.match(text, /tasks {2}8 of 15 \(53\.3 %\)\nroles and playbooks as a whole {2}2 of 4 \(50 %\)\n$/);
  }));

test('a role beside nothing else counts; an empty folder is all covered; a missing one is an error', () =>
  inTree((folder) => {
    assert.equal(coverage('roles', folder).units.total, 2);
    mkdirSync(join(folder, 'empty'));
    assert.equal(coverage('empty', folder).tasks, { covered: 0, total: 0, percent: 100 });
    assert.throws(() => coverage('no-such', folder), /there is no folder no-such/);
  }));

test('lint says the same of what a playbook takes in, with what to write instead', () =>
  inTree((folder) => {
    const said = lint(['site.yml'], folder).errors.map(
      ({ message, facts }) => `${message} → ${facts.hint ?? facts.nearest}`,
    );
    assert.ok(
      said.some((line) => /no module 'firewalld' → write 'command: firewall-cmd/.test(line)),
      said.join('\n'),
    );
    assert.ok(
      said.some((line) => /no lookup 'hashi_vault' → keep secrets/.test(line)),
      said.join('\n'),
    );
    assert.ok(
      said.some((line) => /no test 'no_such_test' → docs\/reference/.test(line)),
      said.join('\n'),
    );
  }));

test('all tasks of the conformance corpus are covered', () => {
  const { tasks, units } = coverage('test/conformance', process.cwd());
  assert.ok(tasks.total > 600, `${tasks.total}`);
  assert.is(tasks.covered, tasks.total);
  assert.is(units.covered, units.total);
});

test.run();

function inTree(use: (folder: string) => void) {
  const folder = tempFolder('coverage');
  try {
    for (const [file, text] of Object.entries(tree)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
