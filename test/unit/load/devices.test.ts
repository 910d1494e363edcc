import * as assert from 'uvu/assert';
import type { RunControl, RunOptions } from '../../../src/core/options.ts';
import { diskFiles } from '../../../src/load/files.ts';
import { Sources } from '../../../src/load/sources.ts';
import { readExtraVars } from '../../../src/resolve/extra-vars.ts';
import { askSecrets } from '../../../src/run/secrets.ts';
import { suite } from '../../support/harness.ts';

const test = suite('load/devices');
const control = { conceal: () => undefined } as unknown as RunControl;

test('a device that never ends is refused, an empty one is empty', () => {
  assert.throws(() => diskFiles().read('/dev/zero'), /gives more than \d+ bytes/);
  assert.is(diskFiles().read('/dev/null')?.length, 0);
});

test('variables of the command line are read no further than other files', () => {
  assert.throws(() => readExtraVars(['@/dev/zero'], new Sources()), /gives more than \d+ bytes/);
});

for (const file of ['connectionPasswordFile', 'becomePasswordFile'] as const)
  test(`no endless ${file} is read`, async () => {
    const refused = await askSecrets({ [file]: '/dev/zero' } as unknown as RunOptions, control).catch((error) => error);
    assert.match(refused.message, /^the password file \/dev\/zero cannot be read: .* gives more than \d+ bytes/);
    const missing = await askSecrets({ [file]: '/no/such' } as unknown as RunOptions, control).catch((error) => error);
    assert.is(missing.message, 'the password file /no/such is not there');
  });

test('a password file is one line, without its end', async () => {
  const file = new URL('devices-password.txt', import.meta.url).pathname;
  const { password } = await askSecrets({ connectionPasswordFile: file } as unknown as RunOptions, control);
  assert.is(password, 'open sesame');
});

test.run();
