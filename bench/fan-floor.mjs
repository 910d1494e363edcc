// The floor of a fan-out: `true` over bare ssh2, connections opened in bursts. Usage: fan-floor.mjs KEY PORT FILE
import { readFileSync } from 'node:fs';
import pLimit from 'p-limit';
import { Client } from 'ssh2';

const [key, port, file] = process.argv.slice(2);
const privateKey = readFileSync(key);
const limit = pLimit(64);
await Promise.all(
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((host) => limit(() => one(host))),
);

function one(host) {
  return new Promise((resolve, reject) => {
    const client = new Client();
    client.on('error', reject);
    client.on('close', resolve);
    client.on('ready', () =>
      client.exec('true', (error, channel) => {
        if (error) return reject(error);
        channel.resume();
        channel.stderr.resume();
        channel.on('close', () => client.end());
      }),
    );
    client.connect({ host, port: Number(port), username: 'kpbench', privateKey });
  });
}
