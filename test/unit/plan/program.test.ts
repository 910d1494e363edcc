import * as assert from 'uvu/assert';
import type { Answer, FactKey } from '../../../src/core/facts.ts';
import { keyText } from '../../../src/core/facts.ts';
import type { Module } from '../../../src/core/module.ts';
import { result } from '../../../src/core/result.ts';
import type { PlannedStep, StepOutcome } from '../../../src/core/steps.ts';
import { suite } from '../../support/harness.ts';
import { planOn } from './support/plan.ts';

const test = suite('plan/program');

const show = (msg: string) => ({ debug: { msg } });
const known = (value: unknown, raw = 'r'): Answer => ({ state: 'known', raw, value });
const absent = (path: string, missing = 1) =>
  known({ exists: false, canonical: path, parent: missing > 1 ? 'missing' : 'directory', missing }, `a${missing}`);
const directory = (path: string) =>
  known({
    exists: true,
    canonical: path,
    kind: 'directory',
    mode: 0o755,
    uid: 0,
    gid: 0,
    owner: 'root',
    group: 'root',
  });

function tree(there: Record<string, Answer>) {
  return ({ family, id }: FactKey): Answer => {
    if (family === 'content') return known({ exists: false });
    return there[id] ?? absent(id, id.split('/').length - 1);
  };
}

const ok = (step: PlannedStep): StepOutcome => ({
  key: step.key,
  status: 'ok',
  rc: 0,
  stdout: '',
  stderr: '',
  start: 0,
  end: 1,
});
const link = { file: { path: '/d/l', src: '/d/a', state: 'link' } };
const copy = { copy: { dest: '/d/l/f', content: 'x', mode: '0644' } };
const before = { '/d': directory('/d'), '/d/a': directory('/d/a'), '/d/l': absent('/d/l'), '/d/a/f': absent('/d/a/f') };

test('a plan goes on below a link that it makes, and asks where that leads', async () => {
  const { tasks, asked } = await planOn([{ tasks: [link, copy] }], { answer: tree(before) });
  assert.equal(
    tasks.map(({ status }) => status),
    ['changed', 'changed'],
  );
  assert.ok(asked.flat().map(keyText).includes('file:/d/a/f'));
});

test('what is no name of a variable reaches no shell, neither of a question nor of a step', async () => {
  const environment = { 'a; touch /x; b': '1' };
  for (const task of [
    { ...link, environment },
    { command: 'true', environment },
  ]) {
    const { tasks, asked } = await planOn([{ tasks: [task] }], { answer: tree(before) });
    assert.equal(
      tasks.map(({ status, message }) => [status, message]),
      [['failed', 'environment: "a; touch /x; b" is no name of a variable']],
    );
    assert.not.match(JSON.stringify(asked), 'touch /x');
  }
});

test('an apply asks again what its steps touched: nothing stays as predicted, nothing unknown', async () => {
  let made = false;
  const after = { ...before, '/d/l/f': absent('/d/a/f') };
  const { tasks } = await planOn([{ tasks: [link] }, { tasks: [copy] }], {
    answer: (key) => tree(made ? after : before)(key),
    run: ({ steps }) => {
      made = true;
      return { kind: 'ran', executed: true, outcomes: steps.map(ok), next: [] };
    },
  });
  assert.equal(
    tasks.map(({ status }) => status),
    ['changed', 'changed'],
  );
});

test('steps that ran behind a failure belong to no rescue task: it runs its own', async () => {
  const write = (name: string) => ({ copy: { dest: `/d/${name}`, content: 'x' } });
  const ran: string[][] = [];
  const { tasks, warnings } = await planOn([{ tasks: [{ block: [write('a'), write('b')], rescue: [write('c')] }] }], {
    answer: tree({ '/d/a': absent('/d/a'), '/d/b': absent('/d/b'), '/d/c': absent('/d/c') }),
    run: ({ steps }) => {
      ran.push(steps.map(({ title }) => title));
      const unproven = (step: PlannedStep) => (step.title === 'write /d/a' ? { unproven: ['mode: is not so'] } : {});
      const outcomes = steps.map((step) => ({ ...ok(step), ...unproven(step) }));
      return { kind: 'ran', executed: true, outcomes, next: [] };
    },
  });
  assert.equal(ran, [['write /d/a', 'write /d/b'], ['write /d/c']]);
  assert.equal(
    tasks.map(({ status, rescued }) => [status, rescued]),
    [
      ['failed', true],
      ['changed', undefined],
    ],
  );
  assert.equal(warnings, ['before the failure was known these steps had run as well: write /d/b']);
});

test('a failure that was foreseen leaves the steps planned behind it to their tasks', async () => {
  const write = (name: string) => ({ copy: { dest: `/d/${name}`, content: 'x' } });
  let trips = 0;
  const block = { block: [write('a'), { fail: { msg: 'as planned' } }], rescue: [write('b')] };
  const { tasks, warnings } = await planOn([{ tasks: [block, write('c')] }], {
    answer: tree({ '/d/a': absent('/d/a'), '/d/b': absent('/d/b'), '/d/c': absent('/d/c') }),
    run: ({ steps }) => {
      trips++;
      return { kind: 'ran', executed: true, outcomes: steps.map(ok), next: [] };
    },
  });
  assert.equal([trips, warnings], [1, []]);
  assert.equal(
    tasks.map(({ status }) => status),
    ['changed', 'failed', 'changed', 'changed'],
  );
});

test('what a step that may fail brings about is looked at before anything is decided by it', async () => {
  const write = (name: string, more = {}) => ({ copy: { dest: `/d/a/${name}`, content: 'x', ...more } });
  const tasks = [{ ...write('f'), ignore_errors: true }, write('f', { force: false }), write('g')];
  const present = known({ ...knownValue(directory('/d/a/f')), kind: 'file', size: 1 });
  const statuses = async (works: boolean) => {
    const trips: PlannedStep[][] = [];
    const found = await planOn([{ tasks }], {
      answer: (key) => {
        const made = trips.length > (works ? 0 : 1);
        return tree({ ...before, '/d/a/g': absent('/d/a/g'), ...(made ? { '/d/a/f': present } : {}) })(key);
      },
      run: ({ steps }) => {
        trips.push([...steps]);
        const fails = (index: number) => !works && trips.length === 1 && index === 0;
        const outcomes = steps.map((step, index) =>
          fails(index) ? { ...ok(step), status: 'failed' as const, rc: 1 } : ok(step),
        );
        return { kind: 'ran', executed: true, outcomes, next: [] };
      },
    });
    return found.tasks.map(({ status }) => status);
  };
  assert.equal(await statuses(true), ['changed', 'ok', 'changed']);
  assert.equal(await statuses(false), ['failed', 'changed', 'changed']);
});

test('what a download brings is known by its hash: a line in it waits, and nobody is asked for it in vain', async () => {
  const fetch = { get_url: { url: 'http://192.0.2.1/x', dest: '/d/x', checksum: `sha256:${'0'.repeat(64)}` } };
  const line = { lineinfile: { path: '/d/x', line: 'one' } };
  const { tasks, asked } = await planOn([{ tasks: [copy, fetch, line, line] }], {
    answer: tree({
      '/d': directory('/d'),
      '/d/l': directory('/d/l'),
      '/d/x': absent('/d/x'),
      '/d/l/f': absent('/d/l/f'),
    }),
  });
  assert.equal(
    tasks.map(({ status }) => status),
    ['changed', 'changed', 'unknown', 'unknown'],
  );
  assert.ok(asked.length <= 2, `${asked.length} trips`);
});

test('what is sure to fail until its retries are spent runs before it is tried again', async () => {
  const tried = {
    copy: { dest: '/d/a', content: 'x' },
    register: 'r',
    failed_when: true,
    until: 'r is not failed',
    retries: 2,
  };
  const ran: string[][] = [];
  const { tasks } = await planOn([{ tasks: [{ ...tried, delay: 0, ignore_errors: true }] }], {
    answer: tree({ '/d': directory('/d'), '/d/a': absent('/d/a') }),
    run: ({ steps }) => {
      ran.push(steps.map(({ title }) => title));
      return { kind: 'ran', executed: true, outcomes: steps.map(ok), next: [] };
    },
  });
  assert.equal(
    tasks.map(({ status, ignored }) => [status, ignored]),
    [['failed', true]],
  );
  assert.equal(ran, [['write /d/a']], 'a plan tries once');
  assert.equal(
    tasks[0]!.steps.map(({ title }) => title),
    ['write /d/a'],
    'what the first attempt changed is told, though the second had nothing left to do',
  );
});

test('a task that has nothing to do and fails is tried again after what was planned before it', async () => {
  const before = { copy: { dest: '/d/a', content: 'x' } };
  const tried = {
    stat: { path: '/d' },
    register: 'r',
    failed_when: true,
    until: 'r is not failed',
    retries: 2,
    delay: 0,
  };
  const ran: string[][] = [];
  const { tasks } = await planOn([{ tasks: [before, { ...tried, ignore_errors: true }, before] }], {
    answer: tree({ '/d': directory('/d'), '/d/a': absent('/d/a') }),
    run: ({ steps }) => {
      ran.push(steps.map(({ title }) => title));
      return {
        kind: 'ran',
        executed: false,
        outcomes: steps.map((step) => ({ ...ok(step), status: 'predicted' })),
        next: [],
      };
    },
  });
  assert.equal(
    tasks.map(({ status }) => status),
    ['changed', 'failed', 'ok'],
  );
  assert.equal(ran, [['write /d/a']]);
});

test('an item sees what the one before it registered, a skipped one registers nothing', async () => {
  const loop = { loop: ['a', 'b', 'c'], register: 'r', when: "r is not defined or r.msg != 'b'" };
  const plays = [{ tasks: [{ debug: { msg: '{{ item }}' }, ...loop }] }];
  const { tasks } = await planOn(plays, { answer: tree({}) });
  assert.equal(
    tasks[0]?.items?.map(({ status }) => status),
    ['ok', 'ok', 'skipped'],
  );
});

test('facts that items find are facts of the host, from the next item on', async () => {
  const finding = () => ({ steps: [], result: result(false, { ansible_facts: new Map([['found', 1]]) }) });
  const module = (name: string, known: Module | undefined) =>
    name === 'ping' && known ? { ...known, plan: finding } : known;
  const ping = { ping: {}, loop: [1, 2], when: 'item == 1 or ansible_facts.found == 1' };
  const plays = [{ tasks: [ping, { debug: { msg: '{{ ansible_facts.found }}' } }] }];
  const { tasks } = await planOn(plays, { answer: tree({}), module });
  assert.equal(
    tasks[0]?.items?.map(({ status }) => status),
    ['ok', 'ok'],
  );
  assert.match(JSON.stringify(tasks[1]?.result), '"msg":"1"');
});

test('what is waited for is not missing behind the wait; what is there already is read as it is', async () => {
  const slurp = { slurp: { src: '/opt/token' }, ignore_errors: true };
  const plays = [{ tasks: [{ wait_for: { path: '/opt/token' } }, slurp] }];
  const missing = await planOn(plays, {
    answer: ({ family, id }) => (family === 'file' ? absent(id) : known({ state: 'missing' })),
  });
  assert.is(missing.tasks[1]?.status, 'unknown');
  const asked = missing.asked.flat().map(({ family, id }) => `${family}:${id}`);
  assert.ok(asked.includes('file:/opt/token'), asked.join(' '));
});

test('what cannot be rendered for an item ends the loop, and nothing of the items before is kept', async () => {
  const set = { set_fact: { 'x{{ item.a }}': 1 }, loop: [{ a: 1 }, { b: 2 }, { a: 3 }] };
  const plays = [
    {
      tasks: [
        { ...set, register: 'r', ignore_errors: true },
        show("{{ r.results is defined }} {{ x1 | default('-') }}"),
      ],
    },
  ];
  const { tasks } = await planOn(plays, { answer: tree({}) });
  assert.equal(
    tasks[0]?.items?.map(({ status }) => status),
    ['ok', 'failed'],
  );
  assert.match(JSON.stringify(tasks[1]?.result), '"msg":"False -"');
});

test('results of a loop over what is known later are known later too', async () => {
  const command = { command: 'echo one', register: 'said' };
  const loop = { debug: { msg: '{{ item }}' }, loop: '{{ said.stdout_lines }}', register: 'each' };
  const after = { debug: { msg: "{{ each.results | map(attribute='item') | list }}" } };
  const { tasks } = await planOn([{ tasks: [command, loop, after] }], { answer: tree({}) });
  assert.equal(
    tasks.map(({ status }) => status),
    ['changed', 'unknown', 'ok'],
  );
});

test('what a condition leaves open may have been skipped, of an item and of the loop, and may have failed', async () => {
  const command = { command: 'true', register: 'said', check_mode: true };
  const open = "said.stdout == 'x'";
  const plays = [
    {
      tasks: [
        command,
        { debug: { msg: 'x' }, loop: [1, 2], when: open, register: 'perhaps' },
        show('{{ perhaps.skipped }}'),
        show("{{ perhaps.results[1].skipped | default('never') }}"),
        { command: 'true', loop: [1, 2], ignore_errors: true, register: 'tried' },
        show('{{ tried.failed }}'),
      ],
    },
  ];
  const { tasks } = await planOn(plays, { answer: tree({}) });
  for (const at of [2, 3, 5]) assert.match(JSON.stringify(tasks[at]?.result), 'known after', `row ${at}`);
});

test('whether a wait that may fail fails is known when it is over', async () => {
  const wait = { wait_for: { port: 1 }, register: 'waited' };
  const plays = [
    { tasks: [wait, show('{{ waited.failed }}'), { ...wait, ignore_errors: true }, show('{{ waited.failed }}')] },
  ];
  const { tasks } = await planOn(plays, { answer: tree({}) });
  assert.match(JSON.stringify(tasks[1]?.result), '"msg":false');
  assert.match(JSON.stringify(tasks[3]?.result), 'known after');
});

test('what check_mode: true would do is not there for the tasks behind it', async () => {
  const folder = { file: { path: '/d/new', state: 'directory' }, check_mode: true };
  const stat = { stat: { path: '/d/new', get_mime: false, get_attributes: false }, register: 'seen' };
  const plays = [{ tasks: [folder, stat, show('{{ seen.stat.exists }}')] }];
  for (const options of [{}, { check: true }]) {
    const { tasks } = await planOn(plays, { answer: tree(before), options });
    assert.is(tasks[0]?.status, 'changed');
    assert.match(JSON.stringify(tasks[2]?.result), '"msg":false');
  }
});

test('a role runs once on a host, by whatever way it is named; one of which every task was skipped has not run', async () => {
  const files = {
    'roles/late/tasks/main.yml': "- {debug: {msg: late}, when: 'go | default(false)'}\n",
    'roles/go/tasks/main.yml': '- set_fact: {go: true}\n',
    'roles/needs/meta/main.yml': 'dependencies: [base]\n',
    'roles/base/tasks/main.yml': '- debug: {msg: base}\n',
  };
  const needs = { include_role: { name: 'needs' } };
  const once = { include_role: { name: 'base', allow_duplicates: false } };
  const plays = [
    { roles: ['late', 'go', 'late', 'late'], tasks: [needs, needs] },
    { roles: ['base'], tasks: [needs, once, once] },
  ];
  const { tasks } = await planOn(plays, { answer: tree({}), files });
  assert.equal(
    tasks.filter(({ module }) => module !== 'meta').map(({ role, module, status }) => `${role ?? module} ${status}`),
    [
      ...['late skipped', 'go ok', 'late ok'],
      ...['include_role ok', 'base ok', 'include_role ok'],
      ...['base ok', 'include_role ok', 'include_role ok', 'base ok', 'include_role ok'],
    ],
  );
});

test('an answer that never is what was asked for ends the run instead of being asked for ever', async () => {
  const broken = { ...(await import('../../../src/modules/stat.ts')).statModule } as never as { plan: unknown };
  broken.plan = (_params: unknown, world: { read(family: string, id: string, wants: object): unknown }) =>
    world.read('tree', '/t', { hashes: true });
  const entries = [{ path: 'f', kind: 'file', mode: 0o644, size: 1 }];
  try {
    await planOn([{ tasks: [{ stat: { path: '/t' } }] }], {
      answer: (key) => (key.family === 'tree' ? known({ exists: true, entries, more: false }) : tree(before)(key)),
      module: () => broken as never,
    });
    assert.unreachable();
  } catch (error) {
    assert.match(String(error), /the answer of h1 to tree:\/t is not what was asked for/);
  }
});

test('another host is asked once steps that are due here have run, item by item', async () => {
  const ran: string[] = [];
  const read = { slurp: { src: '{{ item }}' }, loop: ['/d/x', '/d/y'], delegate_to: 'h2', register: 'r' };
  const { tasks } = await planOn(
    [{ hosts: 'h1', tasks: [link, read, { debug: { msg: '{{ r.results | length }}' } }] }],
    {
      answer: (key) =>
        key.family === 'bytes' ? known({ state: 'bytes', base64: 'eA==' }) : (tree(before)(key) as Answer),
      run: ({ steps }) => {
        ran.push(...steps.map(({ title }) => title));
        return { kind: 'ran', executed: true, outcomes: steps.map(ok), next: [] };
      },
    },
    'h1,h2',
  );
  assert.equal(
    tasks.map(({ status }) => status),
    ['changed', 'ok', 'ok'],
  );
  assert.is(ran.length, 1);
});

test('each step runs on its own machine: a trip ends where the next step is for another one', async () => {
  const trips: string[] = [];
  const there = (path: string, to?: string) => ({
    file: { path, state: 'link', src: '/d/a' },
    ...(to === undefined ? {} : { delegate_to: to }),
  });
  const each = { command: 'true', loop: ['h2', 'h3', 'h1', 'h1'], delegate_to: '{{ item }}' };
  const tasks = [there('/d/l'), there('/d/m', 'h2'), there('/d/n'), there('/d/o'), each];
  const done = await planOn(
    [{ hosts: 'h1', tasks }],
    {
      answer: tree({ ...before, '/d/m': absent('/d/m'), '/d/n': absent('/d/n'), '/d/o': absent('/d/o') }),
      run: ({ on, steps }) => {
        assert.ok(steps.every((step) => (step.on ?? 'h1') === on));
        trips.push(`${on}: ${steps.map(({ title }) => title.replace(/ to .*/, '')).join(', ')}`);
        return { kind: 'ran', executed: true, outcomes: steps.map(ok), next: [] };
      },
    },
    'h1,h2,h3',
  );
  assert.equal(
    done.tasks.map(({ status }) => status),
    ['changed', 'changed', 'changed', 'changed', 'changed'],
  );
  assert.equal(trips, [
    'h1: link /d/l',
    'h2: link /d/m',
    'h1: link /d/n, link /d/o',
    'h2: run true',
    'h3: run true',
    'h1: run true, run true',
  ]);
});

test('what a probe said counts until steps run: then it is asked again', async () => {
  const asked: string[] = [];
  let [done, runs] = [0, 0];
  const unless = (name: string) => ({ command: { cmd: `make ${name}`, unless: `test -e ${name}` } });
  const tasks = [unless('first'), link, unless('a'), show('between'), unless('a'), unless('b'), unless('first')];
  const { tasks: found } = await planOn([{ tasks }], {
    answer: (key) => {
      if (key.family !== 'probe') return tree(before)(key);
      const { command } = JSON.parse(key.id) as { command: string };
      asked.push(`${command.slice(8)} after ${done} steps`);
      return known({ rc: command.endsWith('a') && done < 2 ? 1 : 0, stdout: '' });
    },
    run: ({ steps }) => {
      runs++;
      done += steps.length;
      return { kind: 'ran', executed: true, outcomes: steps.map(ok), next: [] };
    },
  });
  assert.equal(
    found.map(({ status }) => status),
    ['ok', 'changed', 'changed', 'ok', 'ok', 'ok', 'ok'],
  );
  assert.is(runs, 2);
  assert.equal(
    asked.filter((text) => text.startsWith('a')),
    ['a after 0 steps', 'a after 1 steps', 'a after 2 steps'],
  );
  assert.is(asked.at(-1), 'first after 2 steps');
});

for (const [how, bad] of Object.entries({
  fails: { status: 'failed', rc: 100 },
  'brings nothing': { unproven: ['x'] },
}))
  test(`a step that ${how} at every attempt fails the task; nothing it was to bring about is counted on`, async () => {
    const tried = { apt: { name: 'jq' }, register: 'r', until: 'r is succeeded', retries: 2, delay: 0 };
    let runs = 0;
    const { tasks } = await planOn([{ tasks: [tried, { debug: { msg: 'behind' } }] }], {
      waits: true,
      answer: ({ family }) =>
        family === 'package' ? known({ manager: 'dpkg', native: 'amd64', instances: [], providers: [] }) : known({}),
      run: ({ steps }) => {
        runs++;
        const outcomes = steps.map((step) => ({ ...ok(step), ...bad }) as StepOutcome);
        return { kind: 'ran', executed: true, outcomes, next: [] };
      },
    });
    assert.equal([runs, tasks.map(({ status }) => status)], [3, ['failed']]);
  });

test.run();

function knownValue(answer: Answer): object {
  return answer.state === 'known' ? (answer.value as object) : {};
}
