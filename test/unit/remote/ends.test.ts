import { setTimeout as pause } from 'node:timers/promises';
import { openShell } from '../../../src/remote/open-shell.ts';
import type { Exec } from '../../../src/remote/shell.ts';
import { suite } from '../../support/harness.ts';
import { rejects, target } from './support.ts';

const test = suite('the end of a shell');

test('a password that nobody takes any more tells why the shell ended', async () => {
  const exec: Exec = async (_command, { onStderr }) => ({
    write: () => Promise.reject(new Error('the channel closed while data was sent')),
    end: () => {},
    close: () => {},
    closed: pause(20).then(() => {
      onStderr(Buffer.from('WARNING: Your password has expired.\n'));
      return { code: 1, lost: false };
    }),
  });
  const options = {
    target: target({ becomePassword: 'secret' }),
    identity: { become: { method: 'sudo', user: 'root' } },
    ...{ deadline: 60, beat: 1000, openTimeout: 5000, trace: () => {} },
    stats: { trips: 0, sent: 0, received: 0 },
  };
  const reader = { begin: () => undefined, end: () => {}, note: () => undefined };
  const first = { trip: { marker: 'm', text: ':\n', reader }, visible: false, opening: () => {} };
  await rejects(openShell(exec, options, first), /cannot become root .* its password has expired/);
});

test.run();
