import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { docEntries } from '../../src/cli/doc-entries.ts';
import { keywordDocs } from '../../src/cli/keyword-docs.data.ts';
import { suite } from '../support/harness.ts';
import { tempFolder } from '../support/temp.ts';
import { kpush } from './support/program.ts';

const offline = suite('commands that connect nowhere', { timeout: 30_000 });

const inventory = `all:
  vars: {a: 1, ansible_user: root}
  hosts: {z1: }
  children:
    web:
      hosts: {w2: {x: "{{ a }}", ansible_user: deploy}, w1: }
      vars: {b: true}
    db: {children: {pg: {hosts: {p1: }}}}
    empty: {}
`;
const playbook = `- hosts: all
  tasks:
    - name: Greet
      copy: {dest: /etc/motd, content: hi, mode: '0644'}
`;

offline('inventory --graph', async () => {
  const { out } = await kpush('', ['inventory', '-i', 'inventory.yaml', '--graph'], { dir: project() });
  const tree = ['@all:', '  |--@ungrouped:', '  |  |--z1', '  |--@web:', '  |  |--w2', '  |  |--w1', '  |--@db:'];
  assert.is(out, `${[...tree, '  |  |--@pg:', '  |  |  |--p1', '  |--@empty:'].join('\n')}\n`);
});

offline('inventory is JSON of the form that ansible-inventory has', async () => {
  const { out } = await kpush('', ['inventory', '-i', 'inventory.yaml'], { dir: project() });
  const all = { a: 1, ansible_user: 'root' };
  assert.equal(JSON.parse(out), {
    _meta: {
      hostvars: {
        z1: all,
        w2: { ...all, b: true, x: '{{ a }}', ansible_user: 'deploy' },
        w1: { ...all, b: true },
        p1: all,
      },
    },
    all: { children: ['ungrouped', 'web', 'db', 'empty'] },
    ungrouped: { hosts: ['z1'] },
    web: { hosts: ['w2', 'w1'] },
    db: { children: ['pg'] },
    pg: { hosts: ['p1'] },
  });
});

offline('explain says value, place and what was overridden', async () => {
  const dir = project();
  const { out } = await kpush('', ['explain', '-i', 'inventory.yaml', 'w2', 'ansible_user'], { dir });
  assert.match(out, /^ansible_user = "deploy"\n.*inventory\.yaml:6:\d+\n.*overrides .*inventory\.yaml:2:\d+: "root"\n/);
  const rendered = await kpush('', ['explain', '-i', 'inventory.yaml', 'w2', 'x'], { dir });
  assert.match(rendered.out, /^x = 1\n[\s\S]*written: \{\{ a \}\}/);
  const everything = await kpush('', ['explain', '-i', 'inventory.yaml', 'w2'], { dir });
  assert.equal(
    everything.out
      .slice(0, everything.out.indexOf('\nreached by\n'))
      .split('\n')
      .map((line) => line.split(' ')[0]),
    ['a', 'ansible_user', 'b', 'x', ''],
  );
});

offline('explain says of each connection value who says it', async () => {
  const dir = tempFolder('explain');
  mkdirSync(join(dir, '.ssh'));
  const config = 'Host 10.0.0.9\n  User ann\n  Port 5\n  ProxyJump bob@door:99\n  StrictHostKeyChecking ask\n';
  writeFileSync(join(dir, '.ssh/config'), config, { mode: 0o600 });
  writeFileSync(join(dir, 'ansible.cfg'), '[defaults]\ntimeout = 4\n');
  const vars = 'ansible_host: 10.0.0.9, ansible_port: 7, ansible_ssh_extra_args: "-o StrictHostKeyChecking=no"';
  writeFileSync(join(dir, 'i.yaml'), `all: {hosts: {h1: {${vars}}, h2: {ansible_user: "{{ a_fact }}"}}}\n`);
  const { out } = await kpush('', ['explain', '-i', 'i.yaml', 'h1'], { dir, env: { HOME: dir } });
  const reached = out.slice(out.indexOf('\nreached by\n') + 1);
  for (const line of [
    /^ {2}connection: ssh {2}default$/m,
    /^ {2}address: 10\.0\.0\.9 {2}ansible_host, i\.yaml:1:\d+$/m,
    /^ {2}port: 7 {2}ansible_port, i\.yaml:1:\d+$/m,
    /^ {2}user: ann {2}ssh_config, \.ssh\/config:2:3$/m,
    /^ {2}jump host: bob@door:99 {2}ssh_config, \.ssh\/config:4:3$/m,
    /^ {2}host key checking: no {2}ansible_ssh_extra_args, i\.yaml:1:\d+$/m,
    /^ {2}connect timeout: 4 {2}.*ansible\.cfg$/m,
    /^ {2}connection attempts: 1 {2}default$/m,
  ])
    assert.match(reached, line);
  const unknown = await kpush('', ['explain', '-i', 'i.yaml', 'h2'], { dir, env: { HOME: dir } });
  assert.match(unknown.out, /\nreached by: not known here, .*a_fact/);
});

offline('explain names the nearest host and variable', async () => {
  const dir = project();
  const host = await kpush('', ['explain', '-i', 'inventory.yaml', 'p11', 'x'], { dir });
  assert.match(host.err, /no host is called p11\n {2}did you mean: p1\n/);
  const variable = await kpush('', ['explain', '-i', 'inventory.yaml', 'w2', 'ansible_usr'], { dir });
  assert.match(variable.err, /did you mean: ansible_user\n/);
  assert.equal([host.exit, variable.exit], [1, 1]);
});

offline('lint finds what is wrong, with the line', async () => {
  const dir = project();
  writeFileSync(join(dir, 'bad.yml'), '- hosts: all\n  tasks:\n    - name: x\n      copi: {dest: /x}\n');
  const { out, err, exit } = await kpush('', ['lint'], { dir });
  assert.match(
    err,
    /error: bad\.yml:4:7: [^\n]*copi[^\n]*\n {2}4 \| {7}copi: \{dest: \/x\}\n {4}\| {7}\^\n[\s\S]*did you mean: copy/,
  );
  assert.equal([out, exit], ['3 files, 1 error, 0 warnings\n', 1]);
  assert.is((await kpush('', ['lint', 'site.yml', 'inventory.yaml'], { dir })).exit, 0);
  assert.match((await kpush('', ['lint', 'nothing'], { dir })).err, /there is no .*nothing/);
});

offline('doc explains every module, action, gate and keyword', async () => {
  const list = (await kpush('', ['doc'])).out;
  for (const entry of docEntries()) assert.match(list, new RegExp(`^ {2}${entry.name} +\\S`, 'm'));
  const copy = (await kpush('', ['doc', 'ansible.builtin.copy'])).out;
  assert.match(copy, /^copy \(module\)[\s\S]*\n {2}dest {2}\(path; required[\s\S]*\nExamples\n {2}- /);
  const typo = await kpush('', ['doc', 'systemdd']);
  assert.match(typo.err, /nothing is called systemdd\n {2}did you mean: systemd/);
  assert.is(typo.exit, 1);
});

offline('every keyword has its line, and no line is left over', () => {
  const names = docEntries().flatMap((entry) => (entry.kind === 'keyword' ? [entry.name] : []));
  assert.equal(names, Object.keys(keywordDocs).sort());
});

offline('examples of every module are YAML', () => {
  for (const entry of docEntries())
    if (entry.kind !== 'keyword') assert.ok(Array.isArray(parse(entry.doc.examples)), entry.name);
});

offline('init writes a start that lints clean, and overwrites nothing', async () => {
  const dir = tempFolder('init');
  const { out } = await kpush('', ['init', 'new'], { dir });
  assert.equal(out.split('\n').slice(0, 2), ['new/inventory.yaml', 'new/site.yml']);
  const lint = await kpush('', ['lint', 'new', '--strict'], { dir });
  assert.equal([lint.out, lint.err, lint.exit], ['2 files, 0 errors, 0 warnings\n', '', 0]);
  const again = await kpush('', ['init', 'new'], { dir });
  assert.match(again.err, /new\/inventory\.yaml is already there/);
  assert.is(again.exit, 1);
});

offline('without a playbook the project runs its own cluster.yaml, else the shipped one', async () => {
  const dir = project();
  const read = async () =>
    JSON.parse((await kpush('options', ['plan', '-i', 'inventory.yaml'], { dir })).out).playbooks;
  mkdirSync(join(dir, 'playbooks'));
  writeFileSync(join(dir, 'playbooks', 'cluster.yaml'), playbook);
  assert.equal(await read(), ['playbooks/cluster.yaml']);
});

offline('completion scripts parse, and bash completes commands, options and values', async () => {
  const dir = project();
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { out } = await kpush('', ['completion', shell], { dir });
    writeFileSync(join(dir, shell), out);
    if (existsSync(`/usr/bin/${shell}`) || existsSync(`/bin/${shell}`)) execFileSync(shell, ['-n', join(dir, shell)]);
  }
  const complete = (...words: string[]) =>
    execFileSync(
      'bash',
      [
        '-c',
        `. ${dir}/bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _kpush; echo "\${COMPREPLY[*]}"`,
        'x',
        ...words,
      ],
      {
        encoding: 'utf8',
        cwd: dir,
      },
    ).trim();
  assert.is(complete('kpush', 'pl'), 'plan');
  assert.is(complete('kpush', 'plan', '--det'), '--detailed-exitcode');
  assert.is(complete('kpush', 'apply', '--output', 'p'), 'pretty plain');
  assert.is(complete('kpush', 'apply', 'sit'), 'site.yml');
});

offline.run();

function project(): string {
  const dir = tempFolder('project');
  writeFileSync(join(dir, 'inventory.yaml'), inventory);
  writeFileSync(join(dir, 'site.yml'), playbook);
  return dir;
}
