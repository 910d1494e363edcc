import * as assert from 'uvu/assert';
import { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { labInventory, scratch, yamlFile } from './support/inventory.ts';
import { complaints, kpush, runOptions } from './support/run.ts';

const test = suite('a slow host', { timeout: 120_000 });
let lab: Lab;

test(
  'the lab is up',
  async () => {
    lab = await Lab.up({ hosts: 3 });
  },
  { timeout: 300_000 },
);

test('neither a step that takes long, nor a slow link, nor a host that is not there slows the others', async () => {
  const dir = scratch('slow');
  const timeout = { ansible_timeout: 8 };
  const hosts = Object.fromEntries(lab.hosts.map(({ name, address }) => [name, { ansible_host: address, ...timeout }]));
  const site = yamlFile(dir, 'site.yml', [
    {
      hosts: 'all',
      gather_facts: false,
      tasks: [
        { name: 'long', shell: 'sleep 6', when: 'inventory_hostname == "h1"' },
        { name: 'write', copy: { dest: '/srv/w', content: 'x'.repeat(100_000) } },
        { name: 'last', lineinfile: { path: '/srv/l', line: 'l', create: true } },
      ],
    },
  ]);
  await lab.limit('h1', '256kbit');
  await lab.drop('h2');
  const ran = await kpush(runOptions('apply', site, labInventory(dir, lab, hosts)));
  await lab.limit('h1', null);
  await lab.undrop('h2');
  assert.is(ran.exit, 4, complaints(ran));
  const ended = (host: string, name: string) =>
    ran.events.findIndex((event) => event.type === 'task' && event.host === host && event.name === name);
  assert.ok(ended('h3', 'last') >= 0 && ended('h1', 'long') >= 0, complaints(ran));
  assert.ok(ended('h3', 'last') < ended('h1', 'long'), 'h3 waited for h1');
  const lost = ran.events.findIndex(
    (event) => 'host' in event && event.host === 'h2' && /unreachable/.test(JSON.stringify(event)),
  );
  assert.ok(lost >= 0, 'nothing tells that h2 is not there');
  assert.ok(ended('h3', 'last') < lost, 'h3 waited for h2');
});

test('the lab is left', () => lab.down());
test.run();
