import { spawn } from 'node:child_process';
import { LabError } from './errors.ts';

/** How a program ended; `code` is null when `signal` ended it. */
export interface Result {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** Bytes for standard input; without it standard input is empty. */
  input?: string | Buffer;
  /** The whole environment; without it this process's own. */
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Milliseconds after which the program and its children are killed and the call rejects. */
  timeoutMs?: number;
}

/** Runs a program to its end. Rejects with LabError when it cannot start or takes longer than `timeoutMs`. */
export function run(command: string, args: string[], options: RunOptions = {}): Promise<Result> {
  return new Promise((resolve, reject) => {
    // A group of its own, so that a timeout also reaches what the program started.
    const child = spawn(command, args, {
      env: options.env,
      cwd: options.cwd,
      detached: options.timeoutMs !== undefined,
    });
    const output = { stdout: '', stderr: '' };
    const timer = options.timeoutMs && setTimeout(() => endGroup(child.pid), options.timeoutMs);
    const late = () =>
      reject(new LabError(`${command} ${args.join(' ')} took over ${options.timeoutMs} ms`, output.stderr));
    child.stdout.setEncoding('utf8').on('data', (text) => (output.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (output.stderr += text));
    child.stdin.on('error', ignoreClosedPipe).end(options.input ?? '');
    child.on('error', (error) => reject(new LabError(`cannot run ${command}: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (timer) clearTimeout(timer);
      if (signal === 'SIGKILL' && timer) late();
      else resolve({ code, signal, ...output });
    });
  });
}

/** The standard output of a program that must succeed; LabError with its stderr otherwise. */
export async function must(command: string, args: string[], options: RunOptions = {}): Promise<string> {
  const { code, signal, stdout, stderr } = await run(command, args, options);
  if (code !== 0)
    throw new LabError(`${command} ${args.join(' ')} failed (${signal ?? `exit ${code}`})`, stderr || stdout);
  return stdout;
}

/** `text` as one word of a POSIX shell. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function endGroup(pid: number | undefined) {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

// A program may end before it has read its input; its exit code tells what happened.
function ignoreClosedPipe(error: NodeJS.ErrnoException) {
  if (error.code !== 'EPIPE') throw error;
}
