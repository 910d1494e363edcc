import * as assert from 'uvu/assert';
import { anyTransport } from '../../src/transports/index.ts';
import type { Lab } from '../lab-kit/index.ts';
import { suite } from '../support/harness.ts';
import { keepsTo } from '../unit/transports/contract-checks.ts';
import { hostTarget, remoteLab } from './remote-support.ts';

/** The checks of test/unit/transports/contract.test.ts against a real sshd. */
const test = suite('what every transport keeps to, with a real sshd', { timeout: 60_000 });
let lab: Lab;

test(
  'the lab is up',
  async () => {
    lab = await remoteLab();
  },
  { timeout: 300_000 },
);

for (const transport of ['ssh', 'openssh'] as const)
  keepsTo(test, transport, async () => ({
    connection: await anyTransport.connect(hostTarget(lab, { transport })),
    end: async () => {},
    running: (words) => lab.processes('h1').filter(({ cmdline }) => cmdline.join(' ').includes(words)).length,
  }));

test('a login is one request, and asks for nothing that nobody reads', async () => {
  await lab.sh(
    'h1',
    'systemd-run -q --unit sshd-told /usr/sbin/sshd -D -e -p 2223 -o LogLevel=DEBUG1 -o PidFile=none 2>&1; for i in $(seq 50); do ss -Hltn sport = :2223 | grep -q . && break; sleep 0.1; done',
  );
  const connection = await anyTransport.connect(hostTarget(lab, { transport: 'ssh', port: 2223 }));
  const channel = await connection.exec('true', { onStdout() {}, onStderr() {} });
  assert.equal(await channel.closed, { code: 0, lost: false });
  await connection.close();
  const log = await lab.sh('h1', 'systemctl stop sshd-told; journalctl -q -o cat -u sshd-told');
  const lines = (about: RegExp) => log.split('\n').filter((line) => about.test(line));
  assert.is(lines(/userauth-request for user/).length, 1, log);
  assert.match(lines(/userauth-request for user/)[0]!, /method publickey/);
  assert.is(lines(/test pkalg/).length, 0, 'nor is a key asked about before it signs');
  assert.is(lines(/server_input_global_request/).length, 0);
});

test('the lab is left', () => lab.down());
test.run();
