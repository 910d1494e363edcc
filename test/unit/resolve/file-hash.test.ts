import { createHash } from 'node:crypto';
import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { diskFiles } from '../../../src/load/files.ts';
import { Sources } from '../../../src/load/sources.ts';
import { fileSha256 } from '../../../src/resolve/file-hash.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';

const test = suite('resolve/file-hash');

const path = join(tempFolder('file-hash'), 'file');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Files as they are on the disk, and how often one was read whole. */
function counting() {
  let reads = 0;
  const disk = diskFiles();
  const read = (name: string) => {
    reads++;
    return disk.read(name);
  };
  return { sources: new Sources({ files: { ...disk, read } }), reads: () => reads };
}

for (const size of [0, 1000, 1024 * 1024])
  test(`a file of ${size} bytes is read once for its hash, however often it is wanted`, () => {
    const { sources, reads } = counting();
    writeFileSync(path, Buffer.alloc(size, 'a'));
    for (let n = 0; n < 3; n++) assert.is(fileSha256(path, statSync(path), sources), sha256(Buffer.alloc(size, 'a')));
    assert.is(reads(), 1);
  });

test('a large file is hashed again when it changed, and only then', () => {
  const sources = new Sources();
  const bytes = Buffer.alloc(3 * 1024 * 1024 + 1, 'a');
  writeFileSync(path, bytes);
  const before = statSync(path);
  assert.is(fileSha256(path, before, sources), sha256(bytes));
  writeFileSync(path, Buffer.alloc(bytes.length, 'b'));
  assert.is(fileSha256(path, before, sources), sha256(bytes));
  utimesSync(path, 1, 1);
  assert.is(fileSha256(path, statSync(path), sources), sha256(Buffer.alloc(bytes.length, 'b')));
});

test('a large file is not read whole', () => {
  const { sources, reads } = counting();
  writeFileSync(path, Buffer.alloc(2 * 1024 * 1024));
  fileSha256(path, statSync(path), sources);
  assert.is(reads(), 0);
});

test('a large vault file without a password is refused, not hashed as it lies', () => {
  writeFileSync(path, `$ANSIBLE_VAULT;1.1;AES256\n${'3'.repeat(2 * 1024 * 1024)}\n`);
  assert.throws(() => fileSha256(path, statSync(path), new Sources()), /encrypted with ansible-vault/);
});

test.run();
