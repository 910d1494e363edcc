import * as assert from 'uvu/assert';
import { type BlobRequest, BlobTree } from '../../../src/apply/blob-tree.ts';
import type { Pulled, Served } from '../../../src/core/session.ts';
import { suite } from '../../support/harness.ts';

const test = suite('a blob brought to a host');
const blob = { source: '/big', sha256: 'a'.repeat(64), size: 5, path: 'sha256-a' };
const here: Served = { has: false, part: false, at: { address: '127.0.0.1', port: 1 } };

test('the first gets it from the controller, the next from the first', async () => {
  const tree = new BlobTree();
  const [one, two] = [host(here), host(here)];
  await tree.bring(one.request, 'eth0');
  await tree.bring(two.request, 'eth0');
  assert.equal([one.said, two.said], [['upload'], ['pull']]);
});

test('what breaks off is tried with others, and comes from the controller in the end', async () => {
  const tree = new BlobTree();
  const sources = [1, 2, 3, 4, 5].map(() => host({ ...here, has: true }));
  for (const { request } of sources) await tree.bring(request, 'eth0');
  const last = host(here, ['refused', 'short', 'refused', 'short']);
  await tree.bring(last.request, 'eth0');
  assert.equal(last.said, ['pull', 'pull', 'pull', 'pull', 'upload']);
  assert.ok(sources.every(({ said }) => said.length === 0));
});

test('after wrong bytes what is there is thrown away; after a break it is gone on with', async () => {
  const tree = new BlobTree();
  for (let n = 0; n < 3; n++) await tree.bring(host({ ...here, has: true }).request, 'eth0');
  const last = host(here, ['short', 'wrong', 'done']);
  await tree.bring(last.request, 'eth0');
  assert.equal(last.fresh, [true, false, true]);
});

test('a host that cannot serve, or has a part already, is sent it', async () => {
  const tree = new BlobTree();
  await tree.bring(host({ ...here, has: true }).request, 'eth0');
  const [bare, cut] = [host({ has: false, part: false }), host({ ...here, part: true })];
  await tree.bring(bare.request, 'eth0');
  await tree.bring(cut.request, 'eth0');
  assert.equal([bare.said, cut.said], [['upload'], ['upload']]);
});

test('a host that is lost serves nobody', async () => {
  const tree = new BlobTree();
  const lost = host(here, [], new Error('gone'));
  const message = await tree.bring(lost.request, 'eth0').then(
    () => '',
    (error: Error) => error.message,
  );
  assert.is(message, 'gone');
  const next = host(here);
  await tree.bring(next.request, 'eth0');
  assert.equal(next.said, ['upload']);
});

test.run();

function host(served: Served, outcomes: Pulled[] = [], broken?: Error) {
  const said: string[] = [];
  const fresh: boolean[] = [];
  const session: BlobRequest['session'] = {
    serve: async () => served,
    pull: async (_identity, _blob, from) => {
      said.push('pull');
      fresh.push(from.fresh);
      return outcomes.shift() ?? 'done';
    },
  };
  const upload = async () => {
    said.push('upload');
    if (broken) throw broken;
  };
  return { said, fresh, request: { session, identity: {}, blob, upload, signal: new AbortController().signal } };
}
