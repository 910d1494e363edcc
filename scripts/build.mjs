// Bundles the CLI into dist/kpush.cjs and keeps V8's compiled code beside it (docs/decisions/0002-start-up.md).
// Written under other names first and renamed, so that a kpush running meanwhile never reads half a file.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { train } from './train.mjs';

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
  // Names stay as they are: to shorten them and keep what a stack shows costs each closure 256 bytes when it is made.
  minifySyntax: true,
  minifyWhitespace: true,
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
await compile();

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

/** Without the cache kpush only starts slower. */
async function compile() {
  try {
    await train(new URL('../bin/kpush', import.meta.url).pathname);
  } catch (error) {
    console.error(`build: the run that fills the code cache failed: ${error.message}`);
  }
}
