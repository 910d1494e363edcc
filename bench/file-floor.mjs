// The floor of a large upload that is proved: bare ssh2 and one exec. The controller hashes the file, the host what came
// of it, which reaches the disk before it gets its name. Usage: file-floor.mjs KEY HOST:PORT FILE DESTINATION
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { bareExec, closed, rootAt } from './bare-exec.mjs';

const [key, target, file, destination] = process.argv.slice(2);
const hash = createHash('sha256');
for await (const chunk of source()) hash.update(chunk);
const sha256 = hash.digest('hex');
const script = `cat >${destination}.part && sync ${destination}.part && echo "${sha256}  ${destination}.part" | sha256sum -c --status && mv ${destination}.part ${destination}`;
const { client, code } = await bareExec(rootAt(target, readFileSync(key)), script, (channel) =>
  pipeline(source(), channel),
);
if (code !== 0) throw new Error(`exit ${code}`);
await closed(client);

function source() {
  return createReadStream(file, { highWaterMark: 1024 * 1024 });
}
