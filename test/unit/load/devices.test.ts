import * as assert from 'uvu/assert';
import { diskFiles } from '../../../src/load/files.ts';
import { suite } from '../../support/harness.ts';

const test = suite('load/devices');

test('a device that never ends is refused, an empty one is empty', () => {
  assert.throws(() => diskFiles().read('/dev/zero'), /gives more than \d+ bytes/);
  assert.is(diskFiles().read('/dev/null')?.length, 0);
});

test.run();
