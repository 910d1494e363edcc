import { renameSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { appendKnownHost } from '../../../src/transports/ssh/known-files.ts';
import { readOnce } from '../../../src/transports/ssh/read-once.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';

const test = suite('files read once');

function counted() {
  const texts: string[] = [];
  const read = readOnce((text) => {
    texts.push(String(text));
    return String(text).length;
  });
  return { texts, read };
}

test('a file is parsed once for all who ask, and again when it grew or another took its place', () => {
  const file = join(tempFolder('once'), 'keys');
  const { texts, read } = counted();
  writeFileSync(file, 'one');
  assert.equal([read(file), read(file)], [3, 3]);
  writeFileSync(file, 'one two');
  assert.is(read(file), 7);
  writeFileSync(`${file}.new`, 'two one');
  renameSync(`${file}.new`, file);
  assert.is(read(file), 7);
  assert.equal(texts, ['one', 'one two', 'two one']);
});

test('a file that is not there is no answer that is kept', () => {
  const file = join(tempFolder('once'), 'keys');
  const { read } = counted();
  assert.throws(() => read(file), /ENOENT/);
  writeFileSync(file, 'now');
  assert.is(read(file), 3);
});

test('who names /dev/null as known_hosts wants nothing kept', async () => {
  await appendKnownHost(devNull, 'h1', Buffer.from('key'), true);
});

test.run();
