import * as assert from 'uvu/assert';
import type { KpushError } from '../../../src/core/errors.ts';
import { type EvalPoint, HostWait } from '../../../src/core/evaluator.ts';
import type { Task } from '../../../src/core/play.ts';
import { TaskFailure } from '../../../src/core/result.ts';
import { TemplateError, Unknown, Unsafe, type Value } from '../../../src/jinja/index.ts';
import { dynamicLoader } from '../../../src/load/dynamic.ts';
import { loadPlaybook } from '../../../src/load/playbook.ts';
import { createEvaluator } from '../../../src/resolve/evaluator.ts';
import { explain } from '../../../src/resolve/explain.ts';
import { loadInventory } from '../../../src/resolve/inventory-load.ts';
import { producedBy } from '../../../src/resolve/produced.ts';
import { reach } from '../../../src/resolve/reach.ts';
import type { ResolveSettings } from '../../../src/resolve/settings.ts';
import { playPoint } from '../../../src/resolve/waves.ts';
import { suite } from '../../support/harness.ts';
import { memorySources } from '../load/support/memory-files.ts';
import { modules } from '../load/support/modules.ts';

const test = suite('resolve/evaluator');

interface Given {
  files?: Record<string, string>;
  vars?: string;
  facts?: Record<string, Value>;
  set?: Record<string, Value>;
  point?: Partial<EvalPoint>;
  settings?: Partial<ResolveSettings>;
}

/** A play with one debug task whose `msg` is the text, at host h1. */
function setUp(msg: string, given: Given = {}) {
  const sources = memorySources({
    'h.yml': 'all: {hosts: {h1: {own: one}, h2: {own: two, ansible_host: 10.0.0.2}}}\n',
    'site.yml': `- hosts: all\n  vars: {${given.vars ?? ''}}\n  tasks:\n    - debug: {msg: ${msg}}\n`,
    ...given.files,
  });
  const inventory = loadInventory(['h.yml'], sources);
  const { playbook, loading } = loadPlaybook('site.yml', { sources, modules });
  const evaluator = createEvaluator({ inventory, sources, ...given.settings });
  const [play] = playbook.plays;
  const task = play!.tasks.find((tree): tree is Task => tree.kind === 'task' && !tree.implicit)!;
  const state = {
    facts: new Map(Object.entries(given.facts ?? {})),
    set: new Map(Object.entries(given.set ?? {})),
    included: new Map<string, Value>(),
  };
  const point: EvalPoint = { ...playPoint(play!), host: 'h1', task, state, ...given.point };
  return { evaluator, point, task, playbook, loading, msg: task.params!.entries!.get('msg')!.node };
}

function value(msg: string, given: Given = {}): Value {
  const { evaluator, point, msg: node } = setUp(msg, given);
  return evaluator.value(node, point);
}

function failure(msg: string, given: Given = {}): TemplateError {
  try {
    value(msg, given);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

test('a literal node is its own value', () => {
  const { evaluator, point, msg } = setUp('[1, {a: b}]');
  assert.is(evaluator.value(msg, point), msg.value);
});
test('facts are there under both names, and stay what they are', () => {
  const facts = { os_family: new Unsafe('Debian'), packages: new Map<Value, Value>([['bash', 1]]) };
  assert.equal(
    value('"{{ ansible_os_family ~ ansible_facts.os_family ~ packages.bash }}"', { facts }),
    new Unsafe('DebianDebian1'),
  );
});
test('text of a host is never rendered, and a condition made of it is refused', () => {
  const set = { r: new Map<Value, Value>([['stdout', new Unsafe('{{ 7 * 7 }}')]]) };
  assert.equal(value('"{{ r.stdout }}"', { set }), new Unsafe('{{ 7 * 7 }}'));
  const { evaluator, point, msg } = setUp('"{{ r.stdout }}"', { set });
  assert.throws(() => evaluator.condition([msg], point), /Conditional is marked as unsafe/);
});
test('unknown spreads; a false beside it decides', () => {
  const set = { r: new Map<Value, Value>([['stdout', new Unknown('shell: x')]]) };
  assert.instance(value('"<{{ r.stdout }}>"', { set }), Unknown);
  const { evaluator, point, msg } = setUp('"{{ r.stdout == 1 }}"', { set });
  const no = { ...msg, value: 'false', literal: true };
  const yes = { ...msg, value: 'true', literal: true };
  const broken = { ...msg, value: 'nope.at.all == 1', literal: true };
  assert.is(evaluator.condition([msg, no], point), false);
  assert.instance(evaluator.condition([msg, yes], point), Unknown);
  assert.instance(evaluator.condition([msg, broken], point), Unknown);
  assert.is(evaluator.condition([], point), true);
});
test('a parameter that renders to omit is left out, deeply', () => {
  const found = value('{a: "{{ omit }}", b: {c: "{{ nope | default(omit) }}", d: 1}}');
  assert.equal(found, new Map<Value, Value>([['b', new Map([['d', 1]])]]));
  assert.is(value('"{{ omit }}"'), null);
});
test('an error tells where the text stands, that of a variable where the variable does', () => {
  const error = failure('"one {{ nope }}"');
  assert.equal([error.origin, error.line, error.column, error.undefinedName], ['site.yml', 4, 28, 'nope']);
  const inner = failure('"{{ v }}"', { vars: 'v: "{{ 1 / 0 }}"' });
  assert.equal([inner.origin, inner.line], ['site.yml', 2]);
});
test('a misspelt name gets the nearest', () =>
  assert.is(failure('"{{ inventory_hostnam }}"').nearest, 'inventory_hostname'));
test('variables that need each other are told as a circle with their places', () => {
  const error = failure('"{{ a }}"', { vars: 'a: "{{ b }}", b: "{{ c }}", c: "{{ a }}"' });
  assert.is(
    error.message,
    "recursive loop in variable 'a': a → b → c → a (site.yml:2:13, site.yml:2:27, site.yml:2:41)",
  );
});
test('a circle through hostvars ends too', () => {
  const error = failure('"{{ hostvars.h1.x }}"', {
    files: { 'h.yml': 'all: {hosts: {h1: {x: "{{ y }}", y: "{{ x }}"}}}\n' },
  });
  assert.match(error.message, /recursive loop in variable 'x': x → y → x/);
});

test('hostvars waits for what tasks of the other host make, and for nothing else', () => {
  const others = (host: string): never => {
    throw new HostWait(host);
  };
  const given: Given = { point: { others }, settings: { produced: (name) => name === 'made' } };
  assert.is(value('"{{ hostvars.h2.own }}"', given), 'two');
  assert.is(value('"{{ hostvars.h2.ansible_host }}"', given), '10.0.0.2');
  assert.is(value('"{{ hostvars.h2.group_names | length }}"', given), '1');
  assert.throws(
    () => value('"{{ hostvars.h2.made }}"', given),
    (error: unknown) => error instanceof HostWait && error.host === 'h2',
  );
  assert.throws(
    () => value('"{{ hostvars.h2.ansible_os_family }}"', given),
    (error: unknown) => error instanceof HostWait,
  );
  assert.is(value('"{{ hostvars.h1.own }}"', given), 'one');
});
test('tells which variables tasks may set', () => {
  const files = {
    'site.yml':
      '- hosts: all\n  tasks:\n    - debug: {msg: x}\n    - {command: ls, register: r}\n    - set_fact: {a: 1}\n    - include_vars: v.yml\n',
    'v.yml': 'b: 1\n',
  };
  const { playbook, loading } = setUp('x', { files });
  const produced = producedBy(reach(playbook, dynamicLoader(playbook, loading)));
  assert.equal(['r', 'a', 'b', 'own'].map(produced), [true, true, true, false]);
});

test('a vaulted value without a password fails the task that uses it', () => {
  const vars = 'v: !vault "$ANSIBLE_VAULT;1.1;AES256\\n3132"';
  assert.throws(
    () => value('"{{ v }}"', { vars }),
    (error: unknown) => error instanceof TaskFailure && /no password is given/.test(error.message),
  );
  assert.is(value('"{{ own }}"', { vars }), 'one');
});

test('lookups that run commands run none unless they may', () => {
  assert.match(failure("\"{{ lookup('pipe', 'date') }}\"").message, /runs a command, which is not allowed here/);
  const run = (command: string, cwd: string) => ({
    rc: command === 'false' ? 1 : 0,
    stdout: `${command} in ${cwd}\nline 2\n`,
  });
  const settings = { lookups: { run } };
  assert.equal(value("\"{{ lookup('pipe', 'date') }}\"", { settings }), new Unsafe('date in /t\nline 2'));
  assert.equal(value("\"{{ query('lines', 'date') | length }}\"", { settings }), '2');
  assert.match(failure("\"{{ lookup('pipe', 'false') }}\"", { settings }).message, /returned 1/);
  assert.instance(
    value("\"{{ lookup('pipe', 'x') }}\"", { settings: { lookups: { run: () => new Unknown('a probe') } } }),
    Unknown,
  );
});
test('passwords are read, made only where they may be kept, and of the characters asked for', () => {
  const files = { 'pw/a': 'secret salt=xyz\n' };
  assert.equal(value("\"{{ lookup('password', 'pw/a') }}\"", { files }), new Unsafe('secret'));
  assert.match(failure("\"{{ lookup('password', 'pw/b') }}\"").message, /would write pw\/b/);
  const made = value("\"{{ lookup('password', '/dev/null length=12 chars=digits') }}\"", {
    settings: { randomAt: () => (n) => Uint8Array.from({ length: n }, (_, i) => i * 37) },
  }) as Unsafe;
  assert.match(made.text, /^\d{12}$/);
});

test('explains a variable: every definition, the winning one first', () => {
  const { evaluator, point } = setUp('x', {
    vars: 'own: "play-{{ inventory_hostname }}"',
    files: { 'group_vars/all.yml': 'own: group\n' },
    settings: { extraVars: undefined },
  });
  const found = explain('own', point, evaluator.scopes);
  assert.equal(
    found.map(({ layer, origin, written, value, wins }) => [layer, origin?.file, origin?.line, written, value, wins]),
    [
      ['the vars of the play', 'site.yml', 2, 'play-{{ inventory_hostname }}', 'play-h1', true],
      ['the host in the inventory', 'h.yml', 1, 'one', undefined, false],
      ["the playbook's group_vars/all", 'group_vars/all.yml', 1, 'group', undefined, false],
      ["the inventory's group_vars/all", 'group_vars/all.yml', 1, 'group', undefined, false],
    ],
  );
});
test('nothing reaches JavaScript by name', () => {
  for (const name of ['constructor', '__proto__', 'hasOwnProperty', 'toString'])
    assert.match(failure(`"{{ ${name} }}"`).message, /is undefined/);
});
/** A play whose vars_files entry is a template, checked at a host with these facts. */
function checking(name: string, files: Record<string, string>, facts: Record<string, Value> = {}) {
  const site = `- hosts: all\n  vars: {which: a}\n  vars_files: ["${name}"]\n  tasks:\n    - debug: {msg: x}\n`;
  const { evaluator, point } = setUp('x', { files: { 'site.yml': site, ...files }, facts });
  return () => evaluator.checkVarsFiles(point);
}

test('a vars file that a template names is read although nothing uses it', () => {
  const broken = { 'a.yml': 'x: 1\ny: [1\nz: {\n' };
  assert.throws(checking('{{ which }}.yml', broken), (error: KpushError) => {
    assert.equal(error.facts.origin, { file: 'a.yml', line: 3, column: 1 });
    return true;
  });
  assert.throws(checking('{{ which }}.yml', { 'a.yml': '- 1\n' }), /is a list/);
  assert.throws(checking('{{ which }}.yml', {}), /a.yml was not found/);
  checking('{{ which }}.yml', { 'a.yml': 'x: 1\n' })();
});

test('a vars file that a fact names waits for the fact', () => {
  const broken = { 'debian.yml': 'x: [1\nz: {\n' };
  checking('{{ ansible_os_family }}.yml', broken)();
  const later = checking('{{ ansible_os_family }}.yml', broken, { os_family: 'debian', module_setup: true });
  assert.throws(later, (error: KpushError) => error.facts.origin?.file === 'debian.yml');
});

test.run();
