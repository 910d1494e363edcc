import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { docEntries } from '../../../src/cli/doc-entries.ts';
import { inventoryStart, playbookStart } from '../../../src/cli/init.data.ts';
import { inventorySchema, playbookSchema } from '../../../src/cli/schema.ts';
import { suite } from '../../support/harness.ts';

const schema = suite('editor schema');
const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, inlineRefs: false });
const playbook = ajv.compile(playbookSchema());
const inventory = ajv.compile(inventorySchema());

schema('what init writes and what is shipped is valid', () => {
  valid(playbook, parse(playbookStart));
  valid(inventory, parse(inventoryStart));
  for (const file of ['bench/site.yml', 'playbooks/cluster.yaml', 'playbooks/prepare.yaml'])
    valid(playbook, parse(readFileSync(file, 'utf8')));
});

schema('the examples of every module, action and gate are valid', () => {
  for (const entry of docEntries()) {
    if (entry.kind === 'keyword') continue;
    const examples = parse(entry.doc.examples) as unknown[];
    valid(
      playbook,
      [{ hosts: 'all', ...(entry.kind === 'gate' ? { gates: examples } : { tasks: examples }) }],
      entry.name,
    );
  }
});

schema('templates fit where values are wanted', () =>
  valid(
    playbook,
    parse(`
- hosts: '{{ group }}'
  become: '{{ root }}'
  max_fail_percentage: '{{ share }}'
  tasks:
    - copy: {dest: '{{ x }}', content: '{{ y }}', force: '{{ z }}'}
      retries: '{{ n }}'
    - ansible.builtin.copy: {dest: /x, content: y}
    - command: echo hi
      with_items: [1]
`),
  ),
);

const broken: [string, string, string][] = [
  ['a keyword there is not', '- hosts: all\n  taks: []', 'taks'],
  ['no hosts', '- name: x\n  tasks: []', 'hosts'],
  ['a play that is no mapping', '- all', 'object'],
  ['a playbook that is no list', 'hosts: all', 'array'],
  ['a module there is not', '- hosts: all\n  tasks: [{copi: {}}]', 'copi'],
  ['a parameter there is not', '- hosts: all\n  tasks: [{file: {path: /x, stat: absent}}]', 'stat'],
  ['a choice there is not', '- hosts: all\n  tasks: [{file: {path: /x, state: gone}}]', 'state'],
  ['a required parameter that is missing', '- hosts: all\n  tasks: [{file: {state: absent}}]', 'path'],
  ['a bool that is none', '- hosts: all\n  become: perhaps', 'become'],
  ['a number that is none', '- hosts: all\n  tasks: [{command: x, retries: often}]', 'retries'],
  ['a register that is no name', '- hosts: all\n  tasks: [{command: x, register: a-b}]', 'register'],
  ['tasks that are no list', '- hosts: all\n  tasks: {command: x}', 'tasks'],
  ['a gate there is not', '- hosts: all\n  gates: [{htp: {}}]', 'htp'],
  ['a block with a play keyword', '- hosts: all\n  tasks: [{block: [], serial: 1}]', 'serial'],
];
for (const [name, text, word] of broken)
  schema(`flags ${name}`, () => {
    assert.not(playbook(parse(text)));
    assert.match(JSON.stringify(playbook.errors), new RegExp(word));
  });

schema('flags wrong inventories', () => {
  for (const text of ['all: {host: {a: }}', '- a', 'all: {hosts: [a]}', 'web: {children: {x: {hosts: {a: 1}}}}'])
    assert.not(inventory(parse(text)), text);
});

schema.run();

function valid(check: { (data: unknown): unknown; errors?: unknown }, data: unknown, name = '') {
  assert.ok(check(data), `${name} ${JSON.stringify(check.errors)?.slice(0, 600)}`);
}
