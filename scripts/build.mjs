// Bundles the CLI into dist/kpush.cjs and keeps V8's compiled code beside it (docs/decisions/0002-start-up.md).
// Written under other names first and renamed, so that a kpush running meanwhile never reads half a file.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
  plugins: [late({ 'string-width': ['default'], 'cli-truncate': ['default'], diff: ['structuredPatch'] })],
  banner: { js: "const kpushUrl = require('node:url').pathToFileURL(__filename).href;" },
});
ascii(`${work}/kpush.cjs`);
for (const name of ['kpush.cjs.map', 'kpush.cjs']) renameSync(`${work}/${name}`, `dist/${name}`);
rmSync(work, { recursive: true });
sweep();
compile();

/** V8 keeps a text of ASCII in half the memory and reads it twice as fast; esbuild leaves other letters in patterns. */
function ascii(path) {
  const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  writeFileSync(path, readFileSync(path, 'utf8').replace(/[^\0-\x7f]/g, escaped));
}

/**
 * Packages that are only set up when one of their functions is called: the tables that these read (Intl.Segmenter, sets
 * of emoji, letters of all scripts) take longer than reading a playbook, and plain text needs none of them.
 */
function late(functions) {
  const filter = new RegExp(`^(${Object.keys(functions).join('|')})$`);
  const contents = (path) => {
    const one = (name) => {
      const declared = name === 'default' ? 'export default' : `export const ${name} =`;
      return `${declared} (...args) => { made ??= require('${path}'); return made.${name}(...args); };`;
    };
    return `let made; ${functions[path].map(one).join('\n')}`;
  };
  return {
    name: 'late',
    setup(build) {
      build.onResolve({ filter }, ({ path, importer, namespace }) =>
        namespace === 'late' || importer.includes('node_modules') ? undefined : { path, namespace: 'late' },
      );
      build.onLoad({ filter, namespace: 'late' }, ({ path }) => ({
        contents: contents(path),
        resolveDir: process.cwd(),
      }));
    },
  };
}

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
