// The floor of a fan-out: `true` over bare ssh2, connections opened in bursts.
//
// With `watched` it is the least that keeps what kpush promises of whatever may change a host; without kpush, its
// modules, facts or plans. On the host, by builtins where there are some:
//   - the script comes by stdin: what is in argv can be read by every user there;
//   - a lock, made where none is, with its owner in it: one kpush at a time;
//   - a timer that ends all when nothing is heard for 27 s: a link may die without a word;
//   - a reader of stdin beside the command, which sees a link that ends;
//   - a session of its own for the command: it can be ended with all it started;
//   - its beginning, end and code told in lines that no output can be mistaken for, on both streams.
// On the controller: those lines are found and judged, a result is told per host, and a log has a line before a command
// starts and one after it, synced to the disk.
//
// Usage: fan-floor.mjs KEY PORT FILE [watched]
import { randomBytes } from 'node:crypto';
import { fdatasync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { bareExec, closed } from './bare-exec.mjs';

const [key, port, file, watched] = process.argv.slice(2);
const privateKey = readFileSync(key);
const limit = pLimit(64);
const folder = mkdtempSync(join(tmpdir(), 'kpush-floor-'));
const log = openSync(join(folder, 'log'), 'a');
let written = 0;
let syncing = 0;

await Promise.all(
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((host) => limit(() => (watched ? told(host) : one(host, 'true'))))
    .map((result) => result.catch(failed)),
);
rmSync(folder, { recursive: true });

async function one(host, command, feed) {
  const options = { host, port: Number(port), username: 'kpbench', privateKey };
  const { client, code } = await bareExec(options, command, feed);
  if (code !== 0) throw new Error(`exit ${code}`);
  await closed(client);
}

/** Tells the result of one host, as its script told it on both streams. */
async function told(host) {
  const marker = randomBytes(16).toString('hex');
  const said = { stdout: '', stderr: '' };
  note(`${host} starts`);
  await one(host, 'exec /bin/sh -s', async (channel) => {
    channel.on('data', (chunk) => (said.stdout += chunk));
    channel.stderr.on('data', (chunk) => (said.stderr += chunk));
    channel.write(scriptOf(marker));
  });
  const codes = Object.values(said).map((text) => new RegExp(`\n${marker} end (\\d+)\n`).exec(text)?.[1]);
  if (codes.some((code) => code !== '0')) throw new Error(`${host}: ${JSON.stringify(said)}`);
  note(`${host} ended with 0`);
  console.log(`${host}: ok`);
}

function scriptOf(marker) {
  const tell = (words) => `printf '\\n%s ${words}\\n' ${marker};printf '\\n%s ${words}\\n' ${marker} >&2`;
  return `{
exec 3<&0
lock=/tmp/kpush-floor.$$
set -C;echo $$ ${marker} >$lock||exit 9
set +C
{ trap 'kill -9 $z;exit' HUP;sleep 27& z=$!;wait $z;kill 0;} </dev/null >/dev/null 2>&1 3<&- & timer=$!
{ while read -r line;do :;done;kill 0;} <&3 >/dev/null 2>&1 & reader=$!
${tell('begin')}
setsid sh -c true </dev/null 3<&-;code=$?
{ kill $reader;kill -HUP $timer;wait;} 2>/dev/null
rm -f $lock
${tell("end '$code'")}
exit 0;}
`;
}

/** One sync at a time, for as many lines as came meanwhile. */
function note(line) {
  writeSync(log, `${line}\n`);
  written++;
  if (syncing === 0) sync();
}

function sync() {
  syncing = written;
  fdatasync(log, () => {
    const isBehind = syncing < written;
    syncing = 0;
    if (isBehind) sync();
  });
}

function failed(error) {
  console.error(error.message);
  process.exitCode = 1;
}
