import * as assert from 'uvu/assert';
import type { Identity } from '../../src/core/identity.ts';
import type { Lab } from '../lab-kit/index.ts';
import { password } from '../matrix/support/cells.ts';
import { matrixLab } from '../matrix/support/check.ts';
import { suite } from '../support/harness.ts';
import { step, trip, waitFor } from '../unit/remote/support.ts';
import { hostSession, Watch } from './remote-support.ts';
import { labInventory, scratch, yamlFile } from './support/inventory.ts';
import { complaints, kpush, runOptions } from './support/run.ts';

const test = suite('the password to become', { timeout: 60_000 });
let lab: Lab;

test(
  'the lab is up',
  async () => {
    lab = await matrixLab();
  },
  { timeout: 600_000 },
);

const ways: [name: string, user: string, method: string, to: string][] = [
  ['sudo', 'pw-dash', 'sudo', 'root'],
  ['sudo with requiretty', 'tty-dash', 'sudo', 'root'],
  ['su', 'pw-dash', 'su', 'root'],
  ['su to a plain user', 'pw-dash', 'su', 'other'],
  ['doas', 'pw-dash', 'doas', 'root'],
];

for (const [name, user, method, to] of ways)
  test(`${name}: is in no argument, environment, file or log`, async () => {
    const identity: Identity = { become: { method, user: to } };
    const watch = new Watch(lab);
    const session = hostSession(lab, { user, becomePassword: password }, { stateDir: '/var/tmp/become-secrets' });
    const change = session.change(trip([step('a', 'sleep 337')], { identity }), {}).catch(() => {});
    await waitFor('the step', () => watch.running('sleep 337'), 20_000);
    assert.equal(await places(), []);
    await session.close();
    await change;
    await watch.empty(5000);
    await lab.sh('h1', 'rm -rf /var/tmp/become-secrets');
  });

test('the search finds a password that is in an argument', async () => {
  const child = lab.spawn('h1', ['sh', '-c', 'sleep 30; :', 'sh', password]);
  await waitFor('it', async () => (await places()).length > 0, 10_000);
  child.kill();
  await lab.sh('h1', 'pkill -f "^sleep 30$" || true');
});

test('become holds for a play, a block or a task, from a plain user to root and to another plain user', async () => {
  const dir = scratch('become');
  const whoami = (name: string, more: object = {}) => ({ name, command: 'id -un', changed_when: false, ...more });
  const tasks = [
    whoami('the login user'),
    {
      become: true,
      block: [whoami('root'), whoami('other', { become_user: 'other' }), whoami('pw-fish', { become: false })],
    },
    whoami('by su', { become: true, become_method: 'su', become_user: 'other' }),
    whoami('by doas', { become: true, become_method: 'doas' }),
  ];
  const playbook = yamlFile(dir, 'site.yml', [{ hosts: 'all', gather_facts: false, tasks }]);
  const vars = { ansible_host: lab.hosts[0]?.address, ansible_user: 'pw-fish', ansible_become_password: password };
  const ran = await kpush(runOptions('apply', playbook, labInventory(dir, lab, { h1: vars })));
  assert.is(ran.exit, 0, complaints(ran));
  const said = ran.tasks.map(({ result }) => (result as { stdout?: string } | undefined)?.stdout);
  assert.equal(said, ['pw-fish', 'root', 'other', 'pw-fish', 'other', 'root']);
});

test('the lab is left', () => lab.down());
test.run();

/** Where on the host the password can be read, the searching shell itself left out. */
async function places(): Promise<string[]> {
  const search = `printf %s "$1" >/run/needle
for f in /proc/[0-9]*/cmdline /proc/[0-9]*/environ; do
  case $f in /proc/$$/*) ;; *) grep -aqFf /run/needle $f 2>/dev/null && echo $f; esac
done
grep -rlFf /run/needle /tmp /var/tmp /run /home 2>/dev/null | grep -vx /run/needle
[ "$(journalctl -q | grep -cFf /run/needle)" = 0 ] || echo journal
rm /run/needle; true`;
  const found = await lab.sh('h1', ['sh', '-c', search, 'sh', password]);
  return found.split('\n').filter(Boolean);
}
