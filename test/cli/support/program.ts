import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { tempFolder } from '../../support/temp.ts';

export interface Ran {
  out: string;
  err: string;
  exit: number | null;
  signal: string | null;
  dir: string;
}

export interface RunOf {
  env?: Record<string, string>;
  /** Called with all that stdout said so far, each time it says more. */
  watch?(text: string, child: ChildProcess): void;
  watchErr?(text: string, child: ChildProcess): void;
  /** A terminal of this size instead of pipes: both streams come as `out`. */
  terminal?: [columns: number, rows: number];
  input?: string;
  /** Where it runs; default a fresh folder. */
  dir?: string;
  /** A pipe behind it, as shell text. */
  pipe?: string;
  /** A file that stdout goes to. */
  into?: string;
}

let bundled: Promise<string> | undefined;

/** Runs the CLI with a made-up run (support/fake.ts) as a process of its own. */
export async function kpush(script: string, args: string[], of: RunOf = {}): Promise<Ran> {
  bundled ??= bundle();
  const dir = of.dir ?? tempFolder('cli');
  const named = needsPlaybook(script, args) ? [...args, 'site.yml'] : args;
  const line = [process.execPath, await bundled, script, ...named].map(quote).join(' ');
  const piped = of.pipe ? `${line} | ${of.pipe}` : `exec ${line}${of.into ? ` >${of.into}` : ''}`;
  const size = of.terminal ? `stty cols ${of.terminal[0]} rows ${of.terminal[1]}; ${piped}` : piped;
  const [command, argv] = of.terminal ? ['script', ['-qefc', size, '/dev/null']] : ['sh', ['-c', size]];
  const env = {
    PATH: process.env.PATH,
    HOME: dir,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    SHELL: '/bin/sh',
    ...of.env,
  };
  const child = spawn(command, argv, { cwd: dir, env, stdio: 'pipe' });
  if (of.input !== undefined) child.stdin.end(of.input);
  const ran: Ran = { out: '', err: '', exit: null, signal: null, dir };
  child.stdout.on('data', (data) => {
    ran.out += data;
    of.watch?.(ran.out, child);
  });
  child.stderr.on('data', (data) => {
    ran.err += data;
    of.watchErr?.(ran.err, child);
  });
  return new Promise((done) =>
    child.on('close', (exit, signal) => {
      done(Object.assign(ran, { exit, signal }));
    }),
  );
}

/** Does `action` once, as soon as the text matches. */
export function when(pattern: RegExp, action: (child: ChildProcess) => void): RunOf['watch'] {
  let isDone = false;
  return (text, child) => {
    if (isDone || !pattern.test(text)) return;
    isDone = true;
    action(child);
  };
}

/** A made-up run reads no playbook, but the command line wants one. */
function needsPlaybook(script: string, args: string[]): boolean {
  const runs = args[0] === 'apply' || args[0] === 'plan';
  return runs && script !== '' && !args.includes('--help') && !args.some((arg) => arg.endsWith('.yml') || arg === '-i');
}

async function bundle(): Promise<string> {
  const outfile = join(tempFolder('fake'), 'fake.mjs');
  const banner = {
    js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url), __dirname = import.meta.dirname;",
  };
  await build({
    entryPoints: ['test/cli/support/fake.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner,
    external: ['cpu-features', '*.node'],
  });
  return outfile;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
