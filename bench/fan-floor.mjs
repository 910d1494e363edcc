// The floor of a fan-out: `true` over bare ssh2, connections opened in bursts. With `watched` it runs as whatever changes
// a host must: one at a time there, in a group that can be ended, beside a timer that ends it when the link is gone.
// Usage: fan-floor.mjs KEY PORT FILE [watched]
import { readFileSync } from 'node:fs';
import pLimit from 'p-limit';
import { bareExec, closed } from './bare-exec.mjs';

const [key, port, file, watched] = process.argv.slice(2);
const privateKey = readFileSync(key);
const limit = pLimit(64);
const lock = '/tmp/kpush-floor.$$';
const command = watched
  ? `exec sh -c 'sleep 27 >/dev/null 2>&1 & w=$!; mkdir ${lock} && setsid sh -c true; rm -rf ${lock}; kill $w'`
  : 'true';
await Promise.all(
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((host) => limit(() => one(host))),
);

async function one(host) {
  const { client, code } = await bareExec({ host, port: Number(port), username: 'kpbench', privateKey }, command);
  if (code !== 0) throw new Error(`exit ${code}`);
  await closed(client);
}
