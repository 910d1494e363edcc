import * as assert from 'uvu/assert';
import { suite } from '../../support/harness.ts';
import { planOn } from './support/plan.ts';

const test = suite('any_errors_fatal of tasks');

const answer = () => ({ state: 'known', raw: '', value: { exists: false } }) as const;
const say = (msg: string, more: object = {}) => ({ name: msg, debug: { msg }, ...more });
const failing = { name: 'fails', fail: { msg: 'no' }, when: "inventory_hostname == 'h2'" };

/** Tasks that came to an end, in the order of hosts and tasks. */
async function ended(tasks: object[], play: object = {}) {
  const found = await planOn([{ ...play, tasks }, { tasks: [say('next play')] }], { answer }, 'h1,h2,h3');
  return found.tasks.map(({ host, name }) => `${host} ${name}`).sort();
}

test('a task that is fatal ends on every host, and nothing comes behind it', async () => {
  assert.equal(await ended([say('before'), { ...failing, any_errors_fatal: true }, say('behind')]), [
    'h1 before',
    'h1 fails',
    'h2 before',
    'h2 fails',
    'h3 before',
    'h3 fails',
  ]);
});

test('without the word the others go on', async () => {
  assert.equal(await ended([failing, say('behind')]), [
    'h1 behind',
    'h1 fails',
    'h1 next play',
    'h2 fails',
    'h3 behind',
    'h3 fails',
    'h3 next play',
  ]);
});

test('a block hands the word down, a task takes it back, a template says it', async () => {
  const block = (task: object) => [{ any_errors_fatal: true, block: [task, say('behind')] }];
  const stopped = ['h1 fails', 'h2 fails', 'h3 fails'];
  assert.equal(await ended(block(failing)), stopped);
  assert.ok((await ended(block({ ...failing, any_errors_fatal: false }))).includes('h1 next play'));
  assert.equal(await ended([{ ...failing, any_errors_fatal: '{{ yes_ }}', vars: { yes_: true } }]), stopped);
});

test('a task takes back what its play says', async () => {
  const found = await ended([{ ...failing, any_errors_fatal: false }, say('behind')], { any_errors_fatal: true });
  assert.ok(found.includes('h1 next play'), found.join());
});

test('a rescue saves the run', async () => {
  const tasks = [{ any_errors_fatal: true, block: [failing], rescue: [say('rescue')] }, say('behind')];
  const found = await ended(tasks);
  assert.equal(
    found.filter((line) => line.startsWith('h2')),
    ['h2 behind', 'h2 fails', 'h2 next play', 'h2 rescue'],
  );
  assert.ok(found.includes('h1 next play'));
});

test('what is undefined is said of the task, not thrown', async () => {
  const found = await ended([{ ...failing, any_errors_fatal: '{{ nowhere }}' }]);
  assert.ok(found.includes('h2 fails'), found.join());
});

test.run();
