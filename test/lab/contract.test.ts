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

test('the lab is left', () => lab.down());
test.run();
