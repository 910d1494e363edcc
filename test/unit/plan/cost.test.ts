import * as assert from 'uvu/assert';
import type { Answer, FactKey } from '../../../src/core/facts.ts';
import type { Module } from '../../../src/core/module.ts';
import { Breath } from '../../../src/plan/breath.ts';
import { suite } from '../../support/harness.ts';
import { planOn } from './support/plan.ts';

const test = suite('plan/cost', { timeout: 30_000 });

test('a further task that changes something is planned once ahead and once in its turn, however many there are', async () => {
  assert.equal(await further(tasks), { planned: 2, listed: 3 });
});

test('a further item of a loop costs what a task does', async () => {
  assert.equal(await further(loop), { planned: 2, listed: 3 });
});

test('a plan asks in as many trips for many tasks as for a few', async () => {
  const trips = async (count: number) => (await planOn([{ tasks: tasks(count) }], { answer })).asked.length;
  assert.is(await trips(80), await trips(10));
});

test('who planned for too long waits, and each goes on in a turn of the event loop of its own', async () => {
  const breath = new Breath();
  const until = performance.now() + 20;
  while (performance.now() < until);
  const order: string[] = [];
  const [one, other] = [breath.join(), breath.join()];
  const second = breath.pause(other)!.then(() => order.push('second'));
  const first = breath.pause(one)!.then(() => order.push('first'));
  setImmediate(() => order.push('something else'));
  await Promise.all([first, second]);
  assert.equal(order, ['first', 'something else', 'second']);
  assert.is(breath.pause(one), undefined, 'there is time again');
});

test.run();

const write = (name: string) => ({ copy: { dest: `/d/${name}`, content: name, mode: '0644' } });
const tasks = (count: number) => Array.from({ length: count }, (_, n) => write(`f${n}`));
const loop = (count: number) => [{ ...write('{{ item }}'), loop: Array.from({ length: count }, (_, n) => `f${n}`) }];

/** How often a further thing to write is planned, and its questions listed, where there are many. */
async function further(list: (count: number) => object[]): Promise<Plannings> {
  const [few, many] = [await plannings(list(10)), await plannings(list(80))];
  return { planned: (many.planned - few.planned) / 70, listed: (many.listed - few.listed) / 70 };
}

interface Plannings {
  planned: number;
  listed: number;
}

async function plannings(list: object[]): Promise<Plannings> {
  const count: Plannings = { planned: 0, listed: 0 };
  const counted = (module: Module): Module => ({
    ...module,
    facts: (...args) => {
      count.listed++;
      return module.facts(...args);
    },
    plan: (...args) => {
      count.planned++;
      return module.plan(...args);
    },
  });
  const host = { answer, module: (_name: string, module: Module | undefined) => module && counted(module) };
  const { tasks: told } = await planOn([{ tasks: list }], host);
  assert.ok(told.every(({ status }) => status === 'changed'));
  return count;
}

/** The directory is there and empty. */
function answer({ family, id }: FactKey): Answer {
  const known = (value: unknown): Answer => ({ state: 'known', raw: 'r', value });
  if (family === 'content') return known({ exists: false });
  const owner = { uid: 0, gid: 0, owner: 'root', group: 'root' };
  if (id === '/d') return known({ exists: true, canonical: id, kind: 'directory', mode: 0o755, ...owner });
  return known({ exists: false, canonical: id, parent: 'directory', missing: 1 });
}
