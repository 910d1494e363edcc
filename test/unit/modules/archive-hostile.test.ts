import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import * as assert from 'uvu/assert';
import { ArchiveError } from '../../../src/modules/lib/archive/entry.ts';
import { readArchive } from '../../../src/modules/lib/archive/read.ts';
import { suite } from '../../support/harness.ts';
import { cpuMs } from '../load/support/cpu.ts';

const test = suite('hostile archives', { timeout: 60_000 });

test('absolute names stay below the destination; devices and pipes are no files', async () => {
  const entries = await read([
    { name: '/etc/shadow' },
    { name: './a//b' },
    { name: 'dev', type: 'character-device', devmajor: 1, devminor: 3 },
    { name: 'pipe', type: 'fifo' },
  ]);
  assert.equal(
    entries?.map(({ path, kind }) => [path, kind]),
    [
      ['etc/shadow', 'file'],
      ['a/b', 'file'],
      ['dev', 'other'],
      ['pipe', 'other'],
    ],
  );
});

for (const [name, header] of Object.entries<Entry>({
  'dots at the start': { name: '../up' },
  'dots inside': { name: 'a/../../up' },
  'a hard link out': { name: 'h', type: 'link', linkname: '../../etc/shadow' },
}))
  test(`is refused: ${name}`, async () => {
    let refused: unknown;
    await read([header]).catch((error) => (refused = error));
    assert.instance(refused, ArchiveError);
    assert.match((refused as Error).message, /leads out of it/);
  });

test('bombs end at once: a gzip of gigabytes, a zip that says to be one, entries without end', () => {
  const zeros = gzipSync(Buffer.alloc(513 * 1024 * 1024), { level: 1 });
  const huge = readFileSync(new URL('../../fuzz/corpus/zip/failed-says-to-be-huge', import.meta.url));
  const more = readFileSync(new URL('../../fuzz/corpus/zip/failed-holds-more-than-it-says', import.meta.url));
  const taken = cpuMs(() => {
    assert.is(readArchive(fileOf(zeros)), undefined);
    assert.throws(() => readArchive(fileOf(huge)), /more than \d+ bytes/);
    assert.throws(() => readArchive(fileOf(more)), /cannot be unpacked/);
  });
  assert.ok(taken < 8000, `${taken} ms`);
});

test('of an archive of very many files no more is read than is kept', async () => {
  const headers = Array.from({ length: 2000 }, (_, i) => ({ name: `f${i}` }));
  assert.is(await read(headers), undefined);
});

test.run();

type Entry = Exclude<Parameters<ReturnType<typeof pack>['entry']>[0], undefined>;

async function read(headers: Entry[]) {
  const packed = pack();
  for (const header of headers)
    if (header.type === undefined) packed.entry(header, 'text');
    else packed.entry(header);
  packed.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of packed) chunks.push(chunk as Buffer);
  return readArchive(fileOf(Buffer.concat(chunks)))?.entries;
}

function fileOf(bytes: Buffer) {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { size: bytes.length, sha256: () => sha256, bytes: () => bytes } as Parameters<typeof readArchive>[0];
}
