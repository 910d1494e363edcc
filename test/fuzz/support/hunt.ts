import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { tempFolder } from '../../support/temp.ts';
import type { Orders, Report } from './child.ts';

/** A planted fault: a piece of a source file, and what stands there instead. */
export interface Fault {
  file: string;
  from: string;
  to: string;
}

const root = new URL('../../../', import.meta.url).pathname;
export const corpusOf = (target: string) => join(root, 'test/fuzz/corpus', target);

/** Kept in the repository's own folder, below which packages are found. */
const bundles = join(root, '.kpush/fuzz');

/** Tries inputs on a target in a process of its own, which may hang or die: then the input it was at is what failed. */
export async function hunt(
  target: string,
  effort: Pick<Orders, 'seed' | 'cases' | 'seconds'>,
  fault?: Fault,
): Promise<Report> {
  const folder = tempFolder('fuzz');
  const bundle = join(bundles, `${target}-${process.pid}-${Date.now()}-${count++}.mjs`);
  const orders: Orders = { corpus: corpusOf(target), current: join(folder, 'current'), ...effort };
  try {
    await bundled(target, bundle, orders, fault);
    return await ran(bundle, orders, folder);
  } finally {
    rmSync(bundle, { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

let count = 0;

async function bundled(target: string, outfile: string, orders: Orders, fault: Fault | undefined): Promise<void> {
  mkdirSync(bundles, { recursive: true });
  const contents = `import { target } from './targets/${target}.ts';
import { work } from './support/child.ts';
await work(target, ${JSON.stringify(orders)});`;
  await build({
    stdin: { contents, resolveDir: join(root, 'test/fuzz'), loader: 'ts' },
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'warning',
    plugins: fault ? [planted(fault)] : [],
  });
}

/** Takes the file as it is, with the fault in it. A fault that is no longer to be planted is an error. */
function planted({ file, from, to }: Fault): Plugin {
  return {
    name: 'planted fault',
    setup({ onLoad }) {
      onLoad({ filter: new RegExp(`/${file.replaceAll('.', '\\.')}$`) }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (text.split(from).length !== 2) throw new Error(`${file} does not hold the text once: ${from}`);
        return { contents: text.replace(from, () => to), loader: 'ts' };
      });
    },
  };
}

function ran(bundle: string, { current }: Orders, cwd: string): Promise<Report> {
  return new Promise((resolve) => {
    const env = { ...process.env, XDG_CACHE_HOME: cwd, TMPDIR: cwd };
    const child = spawn(process.execPath, ['--enable-source-maps', '--max-old-space-size=512', bundle], { cwd, env });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (text) => (output += text));
    child.stderr.on('data', (text) => (errors = (errors + text).slice(-2000)));
    const timer = setInterval(() => Date.now() - startedAt(current) > stalledMs && child.kill('SIGKILL'), 1000);
    child.on('close', (code, signal) => {
      clearInterval(timer);
      const last = output.trimEnd().split('\n').at(-1) ?? '';
      if (code === 0 && last.startsWith('{')) resolve(JSON.parse(last) as Report);
      else
        resolve({ cases: 0, outcomes: 0, failure: { input: inputAt(current), message: ending(code, signal, errors) } });
    });
  });
}

/** An input that takes longer, on a busy machine too, never ends. */
const stalledMs = 15_000;

/** When the input at hand was written down, or would have been. */
function startedAt(current: string): number {
  return statSync(current, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
}

function inputAt(current: string): string {
  try {
    return readFileSync(current).toString('base64');
  } catch {
    return '';
  }
}

/** Node ends with 13 when what it waits for never comes. */
function ending(code: number | null, signal: string | null, errors: string): string {
  if (signal === 'SIGKILL') return 'it hangs';
  return code === 13 ? 'it waits for ever' : `the process ended (${signal ?? code}): ${errors}`;
}

/** Keeps an input that failed among those that are tried each time. Returns where. */
export function keep(target: string, input: string): string {
  const bytes = Buffer.from(input, 'base64');
  const path = join(corpusOf(target), `failed-${bytes.length}-${checksum(bytes)}`);
  writeFileSync(path, bytes);
  return path;
}

function checksum(bytes: Buffer): string {
  return bytes.reduce((sum, byte) => (Math.imul(sum, 31) + byte) >>> 0, 7).toString(16);
}
