import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { Target } from '../../../src/core/session.ts';
import { inTurn } from '../../../src/transports/throttle.ts';
import { suite } from '../../support/harness.ts';
import { target } from '../remote/support.ts';

const test = suite('logins in turn');

test('at most 8 logins to one sshd are under way, all come through, in order', async () => {
  const counts = counter();
  await Promise.all(Array.from({ length: 40 }, (_, n) => inTurn(host('a'), counts.login(n))));
  assert.equal([counts.most(), counts.begun], [8, Array.from({ length: 40 }, (_, n) => n)]);
});

test('hosts behind one jump host share its slots, other hosts do not', async () => {
  const counts = counter();
  const behind = (name: string) => host(name, { proxyJump: host('door') });
  const jobs = Array.from({ length: 20 }, (_, n) => inTurn(behind(`h${n}`), counts.login(n)));
  await Promise.all([...jobs, ...Array.from({ length: 20 }, (_, n) => inTurn(host(`x${n}`), counts.login(n)))]);
  assert.is(counts.most(), 28);
});

test('a login that fails makes room', async () => {
  const failing = Array.from({ length: 30 }, () =>
    inTurn(host('b'), () => Promise.reject(new Error('no'))).catch(() => 1),
  );
  assert.is((await Promise.all(failing)).length, 30);
  assert.is(await inTurn(host('b'), async () => 'in'), 'in');
});

test.run();

function host(address: string, more: Partial<Target> = {}): Target {
  return target({ host: address, address, ...more });
}

function counter() {
  let running = 0;
  let most = 0;
  const begun: number[] = [];
  const login = (n: number) => async () => {
    begun.push(n);
    most = Math.max(most, ++running);
    await sleep(2);
    running--;
  };
  return { begun, login, most: () => most };
}
