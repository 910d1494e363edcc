import { join } from 'node:path';
import { build } from 'esbuild';
import { scratch } from '../../lab/support/inventory.ts';

let made: Promise<string> | undefined;

/** The command line as one file, made once a process: what is edited meanwhile does not matter. */
export function bundledKpush(): Promise<string> {
  made ??= bundle();
  return made;
}

async function bundle(): Promise<string> {
  const outfile = join(scratch('bundle'), 'kpush.cjs');
  await build({
    entryPoints: ['src/cli/main.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'error',
    external: ['cpu-features', '*.node'],
    define: { 'import.meta.url': 'kpushUrl' },
    banner: { js: "const kpushUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
  return outfile;
}
