// Bundles the CLI into dist/kpush.cjs and keeps V8's compiled code beside it (docs/decisions/0002-start-up.md).
// Written under other names first and renamed, so that a kpush running meanwhile never reads half a file.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

process.chdir(new URL('..', import.meta.url).pathname);
mkdirSync('dist', { recursive: true });
const work = `dist/.new-${process.pid}`;
await build({
  entryPoints: ['src/cli/main.ts'],
  outfile: `${work}/kpush.cjs`,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  minify: true,
  keepNames: true,
  sourcemap: 'linked',
  logLevel: 'warning',
  external: ['cpu-features', '*.node'],
  define: { 'import.meta.url': 'kpushUrl' },
  banner: { js: "const kpushUrl = require('node:url').pathToFileURL(__filename).href;" },
});
for (const name of ['kpush.cjs.map', 'kpush.cjs']) renameSync(`${work}/${name}`, `dist/${name}`);
rmSync(work, { recursive: true });
sweep();
compile();

/** What earlier builds left. */
function sweep() {
  const kept = new Set(['kpush.cjs', 'kpush.cjs.map', 'kpush.cache']);
  for (const name of readdirSync('dist'))
    if (!kept.has(name) && Date.now() - statSync(join('dist', name)).mtimeMs > 600_000)
      rmSync(join('dist', name), { recursive: true });
}

/** One run that reads a playbook: the functions it needs are then in the cache. */
function compile() {
  const inventory = join(tmpdir(), `kpush-build-${process.pid}.yaml`);
  const playbook = join(tmpdir(), `kpush-build-${process.pid}.yml`);
  writeFileSync(inventory, 'all: {hosts: {localhost: {ansible_connection: local}}}\n');
  writeFileSync(
    playbook,
    "- hosts: all\n  tasks:\n    - file: {path: /, state: directory}\n      when: ansible_facts.system == 'Linux'\n",
  );
  const env = { ...process.env, KPUSH_WRITE_CACHE: '1' };
  const ran = spawnSync(
    process.execPath,
    [new URL('../bin/kpush', import.meta.url).pathname, 'plan', '-i', inventory, playbook],
    { cwd: tmpdir(), env, encoding: 'utf8' },
  );
  if (ran.status !== 0) console.error(`build: the code cache was made by a run that failed: ${ran.stderr}`);
  for (const file of [inventory, playbook]) rmSync(file);
}
