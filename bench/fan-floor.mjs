// The floor of a fan-out: `true` over bare ssh2, connections opened in bursts. Usage: fan-floor.mjs KEY PORT FILE
import { readFileSync } from 'node:fs';
import pLimit from 'p-limit';
import { bareExec, closed } from './bare-exec.mjs';

const [key, port, file] = process.argv.slice(2);
const privateKey = readFileSync(key);
const limit = pLimit(64);
await Promise.all(
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((host) => limit(() => one(host))),
);

async function one(host) {
  const { client } = await bareExec({ host, port: Number(port), username: 'kpbench', privateKey }, 'true');
  await closed(client);
}
