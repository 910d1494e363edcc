import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { kpush, runOptions } from '../../lab/support/run.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';

const test = suite('addresses', { timeout: 60_000 });

const dir = tempFolder('addresses');
const inventory = join(dir, 'hosts');
writeFileSync(
  inventory,
  `good ansible_connection=local
option ansible_host="-oProxyCommand=touch ${dir}/pwned"
blank ansible_host="a b"
line ansible_host="{{ 'a\\nb' }}"
port ansible_port=99999
`,
);
const playbook = join(dir, 'site.yml');
writeFileSync(playbook, `- hosts: all\n  gather_facts: false\n  tasks:\n    - copy: {dest: ${dir}/x, content: y}\n`);

for (const verb of ['ping', 'plan', 'apply'] as const)
  test(`${verb}: a host whose address is none is unreachable, the others go on`, async () => {
    const { exit, tasks } = await kpush(runOptions(verb, playbook, inventory, { pattern: 'all' }));
    const lost = tasks.filter(({ status }) => status === 'unreachable').map(({ host }) => host);
    assert.equal(lost.sort(), ['blank', 'line', 'option', 'port']);
    assert.ok(tasks.some(({ host, status }) => host === 'good' && status !== 'unreachable'));
    assert.is(exit, 4);
    const said = tasks.find(({ host }) => host === 'option');
    assert.match(JSON.stringify(said), /hosts:2:8: .*cannot be the address of a host/);
  });

test.run();
