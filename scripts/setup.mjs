// Brings a clean clone to where its scripts can run: dependencies installed as the lock file says, CLI bundled.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

process.chdir(new URL('..', import.meta.url).pathname);
const quiet = process.argv.includes('--quiet');
const [major] = process.versions.node.split('.').map(Number);
if (major < 20) fail(`kpush needs Node 20 or later, this is ${process.version}`);

const stampFile = 'node_modules/.kpush-setup';
const stamp = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
  if (!quiet) console.error('setup: npm ci');
  run('npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error']);
  writeFileSync(stampFile, stamp);
}
run(process.execPath, ['scripts/build.mjs']);

function run(command, args) {
  const done = spawnSync(command, args, { stdio: ['ignore', 2, 2] });
  if (done.status !== 0) fail(`${command} ${args.join(' ')} failed (${done.error?.message ?? `exit ${done.status}`})`);
}

function fail(text) {
  console.error(`setup: ${text}`);
  process.exit(1);
}
