// The floor of a large upload that is proved: bare ssh2 and an exec for each channel. The controller hashes the file while
// it connects, the host what comes while it comes and reaches the disk, and only what is right gets its name.
// Usage: file-floor.mjs KEY HOST:PORT FILE DESTINATION CHANNELS
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Client } from 'ssh2';
import { closed, execOn, rootAt } from './bare-exec.mjs';

const [key, target, file, destination, count] = process.argv.slice(2);
const part = `${destination}.part`;
const mebi = 1024 * 1024;
const source = await open(file);
const { size } = await source.stat();
/** Each channel brings a piece of whole mebibytes. */
const share = Math.ceil(size / mebi / count) * mebi;
const pieces = Array.from({ length: Number(count) }, (_, n) => ({
  n,
  start: n * share,
  end: Math.min((n + 1) * share, size),
}));

const client = new Client();
client.connect(rootAt(target, readFileSync(key)));
const ready = once(client, 'ready');
for (const piece of pieces) piece.sha256 = await hashed(piece);
await ready;
const codes = await Promise.all(pieces.map((piece) => execOn(client, command(piece), (to) => send(piece, to))));
if (codes.some((code) => code !== 0)) throw new Error(`exit ${codes}`);
await closed(client);

async function hashed(piece) {
  const hash = createHash('sha256');
  for await (const chunk of read(piece)) hash.update(chunk);
  return hash.digest('hex');
}

async function send(piece, channel) {
  for await (const chunk of read(piece)) await new Promise((resolve) => channel.write(chunk, resolve));
  channel.end();
}

/** Into the same bytes again and again. */
async function* read({ start, end }) {
  const buffer = Buffer.allocUnsafeSlow(mebi);
  for (let at = start; at < end; ) {
    const { bytesRead } = await source.read(buffer, 0, Math.min(mebi, end - at), at);
    if (bytesRead === 0) throw new Error('the file became shorter');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** What comes is written at its place and hashed in one go; the first channel waits for the others, and ends it. */
function command({ n, start, sha256 }) {
  const take = `{ { dd bs=${mebi} count=0 seek=${start / mebi} conv=notrunc 2>/dev/null; tee /dev/fd/3; } 1<>${part}; } 3>&1 | openssl dgst -sha256 -r`;
  const check = `${take} | { read -r sum name; [ "$sum" = ${sha256} ]; }`;
  if (n > 0) return `${check} && : >${part}.${n}`;
  const others = pieces.slice(1).map((piece) => `${part}.${piece.n}`);
  const wait = others.map((name) => `until [ -f ${name} ]; do sleep 0.01; done && `).join('');
  const disk = `{ while sleep 0.1; do sync -d ${part}; done >/dev/null 2>&1 & }`;
  return `${disk}; ${check} && ${wait}sync ${part} && mv ${part} ${destination}; code=$?; kill $!; rm -f ${part}.*; exit $code`;
}
