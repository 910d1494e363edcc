import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type ActionTools, runAction } from '../../../src/apply/actions.ts';
import type { FactKey } from '../../../src/core/facts.ts';
import type { ActionCall } from '../../../src/core/needs.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';

const test = suite('fetch');
const sums = {
  checksum: '6fcf9dfbd479ed82697fee719b9f8c610a11ff2a',
  md5sum: '401b30e3b8b5d629635a5c613cdb7919',
};

// Fields and messages are those of ansible-core 2.14's own fetch.

test('a file lands below its host, from the folder of the playbook; the second time nothing is done', async () => {
  const folder = tempFolder('fetch');
  const first = await fetched(folder, { src: '/srv/x', dest: 'got' });
  const dest = join(folder, 'got/h1/srv/x');
  assert.equal(first, { changed: true, dest, ...sums, remote_checksum: sums.checksum, remote_md5sum: null });
  assert.is(readFileSync(dest, 'utf8'), 'x\n');
  assert.is(statSync(dest).mode & 0o777, 0o600);
  assert.equal(await fetched(folder, { src: '/srv/x', dest: 'got' }), {
    changed: false,
    file: '/srv/x',
    dest,
    ...sums,
  });
});

test('flat: into a folder with a slash, else the file itself, which is no folder', async () => {
  const folder = tempFolder('fetch');
  assert.is((await fetched(folder, { src: '/srv/x', dest: 'd/', flat: true })).dest, join(folder, 'd/x'));
  assert.is((await fetched(folder, { src: '/srv/x', dest: 'one', flat: true })).dest, join(folder, 'one'));
  assert.match((await fetched(folder, { src: '/srv/x', dest: 'd', flat: true })).msg, 'an existing directory');
});

test('a source with ~ is the host\'s to expand; ".." leads out of nothing', async () => {
  const folder = tempFolder('fetch');
  assert.is((await fetched(folder, { src: '~/x', dest: 'got' })).dest, join(folder, 'got/h1/root/x'));
  assert.is((await fetched(folder, { src: '/../../x', dest: 'got' })).dest, join(folder, 'got/h1/x'));
});

test('what is not there, and folders, fail the task, or are told and left', async () => {
  const folder = tempFolder('fetch');
  mkdirSync(join(folder, 'got'));
  const given = { dest: 'got', fail_on_missing: false };
  assert.equal(await fetched(folder, { ...given, src: '/none' }), {
    changed: false,
    msg: 'the remote file does not exist, not transferring, ignored',
    file: '/none',
  });
  assert.match((await fetched(folder, { ...given, src: '/dir' })).msg, /^remote file is a directory.*ignored$/);
  for (const src of ['/none', '/dir'])
    assert.is((await fetched(folder, { dest: 'got', src, fail_on_missing: true })).failed, true);
});

test.run();

/** What a fetch from a host says, whose every file but /none and /dir is `x\n`. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into any field
async function fetched(folder: string, params: Record<string, unknown>): Promise<any> {
  const call = { action: 'fetch', host: 'h1', on: 'h1', folder, params, seq: 1, task: { id: 't', name: 'Fetch it' } };
  const reply = await runAction(call as unknown as ActionCall, tools);
  if (reply.kind !== 'acted') throw new Error(reply.kind);
  const { values, ...rest } = reply.result;
  return { ...rest, ...Object.fromEntries(values) };
}

const tools = {
  asker: {
    ask: async (_on: string, [question]: { keys: FactKey[] }[]) =>
      question!.keys.map((key) => ({ key, answer: { state: 'known', raw: '', value: fact(key) } })),
  },
  sessionOf: () => ({ fetch: async () => Buffer.from('x\n') }),
  now: () => 0,
  stopped: () => false,
  emit: () => undefined,
} as unknown as ActionTools;

function fact({ family, id }: FactKey): unknown {
  if (family === 'expand') return id.replace('~', '/root');
  return id === '/none' ? { exists: false } : { exists: true, kind: id === '/dir' ? 'directory' : 'file' };
}
