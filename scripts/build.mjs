// Bundles the CLI into dist/kpush.mjs: one file starts faster than a tree of packages (see docs/decisions).
import { build } from 'esbuild';

await build({
  entryPoints: { kpush: 'src/cli/main.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'linked',
  logLevel: 'warning',
  external: ['cpu-features', '*.node'],
  banner: {
    // What CommonJS packages inside the bundle expect to find; ssh2 builds a path from __dirname when it is loaded.
    js: "import { createRequire as kpushRequire } from 'node:module'; const require = kpushRequire(import.meta.url); const __dirname = new URL('.', import.meta.url).pathname;",
  },
});
