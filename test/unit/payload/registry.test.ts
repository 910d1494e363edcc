import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import * as assert from 'uvu/assert';
import { imageReference } from '../../../src/core/image-reference.ts';
import { answerPayload } from '../../../src/payload/answer.ts';
import { suite } from '../../support/harness.ts';
import { tempFolder } from '../../support/temp.ts';

/** A registry on this machine, as its API is: manifests and blobs behind a token that anybody gets. */
const test = suite('images of a registry');
const blobs = new Map<string, Buffer>();
const manifests = new Map<string, string>();
const asked: string[] = [];
let server: Server;
let host: string;
/** Answers to come before the true ones: a status each. */
let troubles: number[] = [];

test('references are told from paths', () => {
  assert.equal(imageReference('k8s.gcr.io/hyperkube:v1.18.20'), {
    registry: 'k8s.gcr.io',
    name: 'hyperkube',
    tag: 'v1.18.20',
  });
  const digest = `sha256:${'ab'.repeat(32)}`;
  assert.equal(imageReference(`localhost:5000/a/b@${digest}`), { registry: 'localhost:5000', name: 'a/b', digest });
  for (const path of ['hyperkube.tar', './images/x.tar', 'files.d/hyperkube.tar', '/abs/image.tar.gz', 'folder'])
    assert.is(imageReference(path), undefined, path);
});

test('by tag: the programs of this machine’s platform come out of the topmost layers that hold them', async () => {
  await begin();
  const { layout, files, digest } = await read(`${host}/hyperkube:v1`);
  assert.is(layout, 'binaries');
  assert.is(files.kubelet.sha256, sum(kubelet));
  assert.is(files.kubectl.sha256, sum(kubectl));
  assert.is(digest, sum(config));
  // What travels is the large one under gzip; the small one as it is.
  assert.equal(gunzipSync(readFileSync(files.kubelet.packed.path)), kubelet);
  assert.is(files.kubelet.packed.sha256, sum(readFileSync(files.kubelet.packed.path)));
  assert.is(files.kubectl.packed, undefined);
  assert.ok(asked.some((url) => url.startsWith('/token?service=lab&scope=')));
});

test('a second time nothing but the manifest is asked for, by digest nothing at all', async () => {
  asked.length = 0;
  await read(`${host}/hyperkube:v1`);
  assert.equal(
    asked.filter((url) => url.includes('/blobs/')),
    [],
  );
  const named = `${host}/hyperkube@${sumOf(manifests.get('v1')!)}`;
  await read(named);
  asked.length = 0;
  await read(named);
  assert.equal(asked, []);
});

test('what passes is tried again, what does not is said at once', async () => {
  troubles = [503, 503];
  assert.is((await read(`${host}/hyperkube:v1`)).layout, 'binaries');
  asked.length = 0;
  const { problem } = await read(`${host}/hyperkube:v2`);
  assert.is(problem, `cannot read ${host}/hyperkube:v2: it answers 404`);
  assert.is(asked.filter((url) => url.includes('/manifests/v2')).length, 2, 'once without and once with the token');
});

test('a layer that is another than its digest is refused', async () => {
  const [layer] = [...blobs.keys()];
  blobs.set(layer!, Buffer.from('another'));
  process.env.XDG_CACHE_HOME = tempFolder('registry');
  const { problem } = await read(`${host}/hyperkube@${sumOf(manifests.get('v1')!)}`);
  assert.match(problem ?? '', /the layer sha256:[0-9a-f]{64} came as another/);
});

const elf = (word: string) => Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46]), Buffer.from(word)]);
const [kubelet, kubectl, config] = [elf('kubelet'.repeat(20_000)), elf('kubectl'), Buffer.from('{}')];
const sum = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const sumOf = (content: string) => `sha256:${sum(Buffer.from(content))}`;

async function begin() {
  process.env.XDG_CACHE_HOME = tempFolder('registry');
  const layer = gzipSync(
    await tar({
      'usr/local/bin/kubelet': kubelet,
      'usr/local/bin/kubectl': kubectl,
      hyperkube: Buffer.from('#!/bin/sh\n'),
    }),
  );
  blobs.set(`sha256:${sum(layer)}`, layer).set(`sha256:${sum(config)}`, config);
  const manifest = JSON.stringify({
    config: { digest: `sha256:${sum(config)}` },
    layers: [{ digest: `sha256:${sum(layer)}` }],
  });
  const platform = (architecture: string) => ({ os: 'linux', architecture });
  const own = { x64: 'amd64', arm64: 'arm64' }[process.arch as string] ?? process.arch;
  const list = [
    { digest: sumOf(manifest), platform: platform(own) },
    { digest: sumOf('other'), platform: platform('s390x') },
  ];
  manifests.set('v1', JSON.stringify({ manifests: list })).set(sumOf(manifest), manifest);
  manifests.set(sumOf(manifests.get('v1')!), manifests.get('v1')!);
  server = createServer(serve).listen(0, '127.0.0.1');
  server.unref();
  await new Promise((resolve) => server.once('listening', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function serve(request: IncomingMessage, response: ServerResponse) {
  const url = request.url ?? '';
  asked.push(url);
  const answer = (status: number, body: string | Buffer = '', headers = {}) =>
    response.writeHead(status, headers).end(body);
  if (url.startsWith('/token')) return answer(200, '{"token":"open"}');
  if (request.headers.authorization !== 'Bearer open')
    return answer(401, '', {
      'www-authenticate': `Bearer realm="http://${host}/token",service="lab",scope="repository:hyperkube:pull"`,
    });
  const trouble = troubles.shift();
  if (trouble) return answer(trouble);
  const [, kind, name = ''] = /^\/v2\/hyperkube\/(manifests|blobs)\/(.+)$/.exec(url) ?? [];
  const found = kind === 'blobs' ? blobs.get(name) : manifests.get(name);
  return found === undefined ? answer(404) : answer(200, found);
}

async function tar(files: Record<string, Buffer>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name, mode: 0o755 }, content);
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A question of another run: answers are kept for one. */
async function read(source: string) {
  const query = JSON.stringify({ source, kind: 'registry', names: ['kubelet', 'kubectl'] });
  return JSON.parse(await answerPayload(query + ' '.repeat(++runs)));
}

let runs = 0;

test.run();
