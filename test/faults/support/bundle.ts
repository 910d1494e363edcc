import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { scratch } from '../../lab/support/inventory.ts';

let made: Promise<string> | undefined;

/** The command line as one file, made once a process: what is edited meanwhile does not matter. */
export function bundledKpush(): Promise<string> {
  made ??= bundle();
  return made;
}

/** A fault in kpush itself. */
export interface Mutant {
  name: string;
  /** The file of src, and what is changed in it, each found once. */
  file: string;
  changes: [from: string, to: string][];
}

/** The same with a fault in it. Throws when what the mutant changes is not there. */
export function mutatedKpush(mutant: Mutant): Promise<string> {
  return bundle([mutation(mutant)]);
}

function mutation({ name, file, changes }: Mutant): Plugin {
  return {
    name,
    setup(build) {
      build.onLoad({ filter: new RegExp(`/src/${file.replaceAll('.', '\\.')}$`) }, ({ path }) => ({
        contents: changes.reduce(changed, readFileSync(path, 'utf8')),
        loader: 'ts',
      }));
    },
  };
}

function changed(text: string, [from, to]: [from: string, to: string]): string {
  if (text.split(from).length !== 2) throw new Error(`not found once: ${from}`);
  return text.replace(from, () => to);
}

async function bundle(plugins: Plugin[] = []): Promise<string> {
  const outfile = join(scratch('bundle'), 'kpush.cjs');
  await build({
    entryPoints: ['src/cli/main.ts'],
    outfile,
    plugins,
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
