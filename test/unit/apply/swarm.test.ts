import * as assert from 'uvu/assert';
import { type Source, Swarm, type Taker } from '../../../src/apply/swarm.ts';
import { suite } from '../../support/harness.ts';

const test = suite('who takes a blob from whom');

test('one copy comes from the controller, every other from a host that serves at most two', async () => {
  const { swarm, takers } = made(16);
  const places = await Promise.all(takers.map((taker) => swarm.place(taker)));
  assert.is(places.filter((place) => place === 'controller').length, 1);
  const parents = places.filter((place): place is Source => place !== 'controller').map(({ from }) => from);
  assert.ok(takers.every((taker) => parents.filter((parent) => parent === taker).length <= 2));
  assert.is(Math.max(...takers.map(({ depth }) => depth)), 4);
});

test('without places to serve from, the controller sends two at once', async () => {
  const swarm = new Swarm();
  const takers = [1, 2, 3].map(() => swarm.join(undefined));
  const first = await Promise.all([swarm.place(takers[0]!), swarm.place(takers[1]!)]);
  assert.equal(first, ['controller', 'controller']);
  let third = false;
  const waits = swarm.place(takers[2]!).then(() => {
    third = true;
  });
  await new Promise(setImmediate);
  assert.is(third, false);
  swarm.released(takers[0]!);
  await waits;
});

test('nobody takes from whoever takes from him, also when he looks for another', async () => {
  const { swarm, takers } = made(3);
  const [a, b, c] = takers as [Taker, Taker, Taker];
  await swarm.place(a);
  await swarm.place(b);
  await swarm.place(c);
  const place = parentOf(await retried(swarm, a, b));
  assert.is(place, c, 'c takes from a, so b may take from c');
  assert.is(await retriedFrom(swarm, a), 'controller', 'b and c are below a');
});

test('after wrong bytes only a verified copy will do, and who gave them from one is left alone', async () => {
  const { swarm, takers } = made(4);
  const [a, b, c, d] = takers as [Taker, Taker, Taker, Taker];
  await swarm.place(a);
  swarm.released(a);
  swarm.completed(a);
  const from = (await swarm.place(b)) as Source;
  assert.is(from.from, a);
  swarm.failed(b, from, 'wrong');
  swarm.released(b);
  assert.is(await swarm.place(b), 'controller', 'a is distrusted');
  assert.is(parentOf(await swarm.place(c)), b, 'by everybody');
  swarm.released(b);
  swarm.completed(b);
  assert.is(parentOf(await swarm.place(d)), b);
});

test('whoever fails three others is not asked any more; whoever left neither', async () => {
  const { swarm, takers } = made(6);
  const [a, b, c, d, e, f] = takers as [Taker, Taker, Taker, Taker, Taker, Taker];
  await swarm.place(a);
  for (const taker of [b, c, d]) {
    const source = (await swarm.place(taker)) as Source;
    swarm.failed(taker, source, 'refused');
    swarm.released(taker);
  }
  assert.is(await swarm.place(e), 'controller');
  assert.is(parentOf(await swarm.place(f)), e);
  swarm.released(f);
  swarm.left(e);
  swarm.released(a);
  assert.is(await swarm.place(f), 'controller');
});

test.run();

function made(count: number): { swarm: Swarm; takers: Taker[] } {
  const swarm = new Swarm();
  const takers = Array.from({ length: count }, (_, n) => swarm.join({ address: '127.0.0.1', port: n, token: '' }));
  return { swarm, takers };
}

function parentOf(place: Source | 'controller'): Taker | undefined {
  return place === 'controller' ? undefined : place.from;
}

async function retried(swarm: Swarm, from: Taker, taker: Taker): Promise<Source | 'controller'> {
  swarm.failed(taker, { from, at: from.at!, patience: 1 }, 'short');
  swarm.released(taker);
  return swarm.place(taker);
}

async function retriedFrom(swarm: Swarm, taker: Taker): Promise<Source | 'controller'> {
  swarm.released(taker);
  return swarm.place(taker);
}
