// The floor of a large upload that is proved: bare ssh2 and an exec for each channel. The controller hashes the file while
// it connects, the host what came of it, which reaches the disk meanwhile, and only what is right gets its name.
// Usage: file-floor.mjs KEY HOST:PORT FILE DESTINATION CHANNELS
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';
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
client.connect({ ...rootAt(target, readFileSync(key)), sock: gathering() });
const ready = once(client, 'ready');
for (const piece of pieces) piece.sha256 = await hashed(piece);
await ready;
const codes = await Promise.all(pieces.map((piece) => execOn(client, command(piece), (to) => send(piece, to))));
if (codes.some((code) => code !== 0)) throw new Error(`exit ${codes}`);
await closed(client);

/** ssh2 writes a packet in three pieces, each a call and a segment of its own: those of a turn go out together. */
function gathering() {
  const { host, port } = rootAt(target);
  const socket = connect({ host, port, noDelay: true });
  const write = socket.write;
  socket.write = (...args) => {
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    return write.apply(socket, args);
  };
  return socket;
}

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

/**
 * Of several channels, what comes is written at its place and hashed in one go; the first waits for the others, and ends
 * it. One channel without a delay keeps the processors busy: there hash and disk come after, side by side.
 */
function command({ n, start, sha256 }) {
  if (pieces.length === 1)
    return `cat >${part} && { sync ${part} & } && openssl dgst -sha256 -r <${part} | { read -r sum name; [ "$sum" = ${sha256} ]; } && wait && mv ${part} ${destination}`;
  const take = `{ { dd bs=${mebi} count=0 seek=${start / mebi} conv=notrunc 2>/dev/null; tee /dev/fd/3; } 1<>${part}; } 3>&1 | openssl dgst -sha256 -r`;
  const check = `${take} | { read -r sum name; [ "$sum" = ${sha256} ]; }`;
  if (n > 0) return `${check} && : >${part}.${n}`;
  const others = pieces.slice(1).map((piece) => `${part}.${piece.n}`);
  const wait = others.map((name) => `until [ -f ${name} ]; do sleep 0.01; done && `).join('');
  const disk = `{ while sleep 0.1; do sync -d ${part}; done >/dev/null 2>&1 & }`;
  return `${disk}; ${check} && ${wait}sync ${part} && mv ${part} ${destination}; code=$?; kill $!; rm -f ${part}.*; exit $code`;
}
