import * as assert from 'uvu/assert';
import { suite } from '../../support/harness.ts';
import { planOn } from './support/plan.ts';

const test = suite('delegate_facts and run_once');
const on = (to: string) => ({ delegate_to: to, delegate_facts: true });
const onlyA = { when: "inventory_hostname == 'a'" };
const show = (...words: string[]) => ({
  debug: { msg: words.map((word) => `{{ ${word} | default('-') }}`).join(' ') },
});

// What each host is told is what ansible-core 2.14 tells, strategy linear, for the same plays.

test("facts are the delegate's, in this play and behind it, whether it takes part or not", async () => {
  const plays = [
    {
      hosts: 'a:b',
      tasks: [
        { set_fact: { x: 'from {{ inventory_hostname }}' }, ...on('c'), ...onlyA },
        { set_fact: { y: 'from {{ inventory_hostname }}' }, ...on('b'), ...onlyA },
        show('x', 'y', 'hostvars.c.x', 'hostvars.b.y'),
      ],
    },
    { hosts: 'c', tasks: [show('x')] },
  ];
  assert.equal(await said(plays), {
    a: ['- - from a from a'],
    b: ['- from a from a from a'],
    c: ['from a'],
  });
});

test('a loop gives each host its own, and a leader shares nothing of it', async () => {
  const tasks = [
    { set_fact: { z: '{{ item }}' }, ...on('{{ item }}'), loop: ['a', 'b', 'c'], run_once: true },
    show('z', 'hostvars.c.z', 'hostvars.b.z'),
  ];
  assert.equal(await said([{ hosts: 'a:b', tasks }]), { a: ['a c b'], b: ['b c b'] });
});

test('what a host sets itself later stays', async () => {
  const tasks = [
    { set_fact: { y: 'given' }, ...on('b'), ...onlyA },
    { set_fact: { y: 'own' }, when: "inventory_hostname == 'b'" },
    show('y'),
    { set_fact: { other: 1 }, ...on('b'), ...onlyA },
    show('y', 'hostvars.b.y'),
  ];
  assert.equal(
    await said([
      { hosts: 'a:b', tasks },
      { hosts: 'a:b', tasks: [show('hostvars.b.y')] },
    ]),
    {
      a: ['-', '- own', 'own'],
      b: ['own', 'own own', 'own'],
    },
  );
});

test('of several that give one host the same fact, the last task counts, and in it the last host', async () => {
  const plays = [
    {
      hosts: 'a:b',
      tasks: [
        { set_fact: { x: '{{ inventory_hostname }}', y: '{{ inventory_hostname }}' }, ...on('c') },
        { set_fact: { x: 'later' }, ...on('c'), ...onlyA },
        show('hostvars.c.x', 'hostvars.c.y'),
      ],
    },
    { hosts: 'c', tasks: [show('x', 'y')] },
  ];
  assert.equal(await said(plays), { a: ['later b'], b: ['later b'], c: ['later b'] });
});

test('without delegate_facts, or delegated to the host itself, they are its own', async () => {
  const tasks = [
    { set_fact: { x: 1 }, delegate_to: 'b', ...onlyA },
    { set_fact: { y: 1 }, ...on('{{ inventory_hostname }}') },
    show('x', 'y'),
  ];
  assert.equal(await said([{ hosts: 'a:b', tasks }]), { a: ['1 1'], b: ['- 1'] });
});

test('a loop with run_once runs on one host, whose facts and result all get', async () => {
  const tasks = [
    { set_fact: { z: '{{ inventory_hostname }}{{ item }}' }, loop: [1, 2], run_once: true, register: 'r' },
    show('z', 'r.results | length'),
  ];
  const { tasks: told } = await planned([{ hosts: 'a:b', tasks }]);
  assert.equal(
    told.filter(({ module }) => module === 'set_fact').map(({ host }) => host),
    ['a'],
  );
  assert.equal(await said([{ hosts: 'a:b', tasks }]), { a: ['a2 2'], b: ['a2 2'] });
});

test.run();

function planned(plays: object[]) {
  return planOn(plays, { answer: () => ({ state: 'known', raw: '', value: {} }) }, 'a,b,c,');
}

/** What each host's debug tasks print, in order. */
async function said(plays: object[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { host, module, message = '' } of (await planned(plays)).tasks)
    if (module === 'debug') found[host] = [...(found[host] ?? []), message];
  return Object.fromEntries(Object.entries(found).sort());
}
