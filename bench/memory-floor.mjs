// The floor of memory: bare ssh2 connections, all held at once, each with one exec that ended. Prints the peak in KiB.
// Usage: memory-floor.mjs KEY PORT FILE
import { readFileSync } from 'node:fs';
import pLimit from 'p-limit';
import { bareExec } from './bare-exec.mjs';

const [key, port, file] = process.argv.slice(2);
const privateKey = readFileSync(key);
const limit = pLimit(64);
const hosts = readFileSync(file, 'utf8').trim().split('\n');
const clients = await Promise.all(hosts.map((host) => limit(() => one(host))));
console.log(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
for (const client of clients) client.end();

async function one(host) {
  const { client } = await bareExec({ host, port: Number(port), username: 'kpbench', privateKey }, 'true');
  return client;
}
