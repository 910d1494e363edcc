import type { Connection } from '../../../src/remote/transport.ts';
import { localTransport } from '../../../src/transports/local.ts';
import { opensshTransport } from '../../../src/transports/openssh/index.ts';
import { sshTransport } from '../../../src/transports/ssh/index.ts';
import { suite } from '../../support/harness.ts';
import { processesWith, target } from '../remote/support.ts';
import { keepsTo, type Opened } from './contract-checks.ts';
import { TestServer } from './server.ts';

const test = suite('what every transport keeps to', { timeout: 45_000 });
const running = (words: string) => processesWith(words).length;

keepsTo(test, 'local', async () => ({
  connection: await localTransport.connect(target()),
  end: async () => {},
  running,
}));
keepsTo(test, 'ssh', () => served((server) => sshTransport.connect(server.target())));
keepsTo(test, 'openssh', () => served((server) => opensshTransport.connect(server.target())));

test.run();

/** ssh2's server forgets a stream that waits for room while the other writes: test/lab/contract.test.ts has a real one. */
async function served(connect: (server: TestServer) => Promise<Connection>): Promise<Opened> {
  const server = await TestServer.start();
  return { connection: await connect(server), end: () => server.close(), running, pause: '.5' };
}
