import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionError, type Target } from '../../core/session.ts';
import { wait } from '../../core/waits.ts';
import { type Askpass, openAskpass } from './askpass.ts';
import { masterArguments, sshConfigText } from './config.ts';
import { sshError } from './errors.ts';

/** The ssh that holds a connection, logged in, with its control socket. */
export interface Master {
  socket: string;
  /** Resolves when it has ended. */
  closed: Promise<void>;
  /** What it said so far. */
  said(): string;
  end(): void;
}

/** Starts ssh and waits until it is logged in. Throws a SessionError with what it said. */
export async function startMaster(target: Target, signal?: AbortSignal): Promise<Master> {
  // Short: a socket's path may have some 100 bytes, and ssh adds 17 to it while it makes the socket.
  const dir = await mkdtemp(join(tmpdir(), 'kpush-'));
  try {
    const askpass = await openAskpass(target, dir);
    await writeFile(join(dir, 'config'), sshConfigText(target, process.env.HOME ?? homedir()), { mode: 0o600 });
    return await loggedIn(target, dir, askpass, signal);
  } catch (error) {
    await rm(dir, { recursive: true, force: true });
    throw error;
  }
}

async function loggedIn(
  target: Target,
  dir: string,
  askpass: Askpass | undefined,
  signal?: AbortSignal,
): Promise<Master> {
  const socket = join(dir, 's');
  const words = masterArguments(target, join(dir, 'config'), socket, askpass !== undefined);
  const child = spawn('/bin/sh', ['-c', leash, 'kpush', dir, 'ssh', ...words], {
    // A session of its own: ssh finds no terminal to ask at, and Ctrl-C does not reach it.
    ...{ detached: true, stdio: ['pipe', 'ignore', 'pipe'] },
    env: { ...process.env, LC_ALL: 'C', ...askpass?.env },
  });
  const end = () => void child.stdin?.destroy();
  child.stdin?.on('error', () => {}); // it ended first
  const said = collected(child);
  const closed = gone(child, dir, askpass);
  const fail = (error: SessionError) => {
    end();
    throw error;
  };
  const outcome = await firstOf(child, closed, dir, socket, secondsOf(target), signal);
  if (outcome === 'there') return { socket, closed, said, end };
  if (outcome === 'late')
    return fail(new SessionError('timeout', 'auth', lateText(target, said()), { transient: true }));
  if (outcome === 'aborted') return fail(new SessionError('aborted', 'auth', 'interrupted'));
  if (outcome instanceof Error) return fail(notStarted(outcome));
  return fail(sshError(target, said(), askpass?.refused ?? []));
}

/** Ends ssh, and removes its folder, when our end of stdin goes away: a controller that was killed leaves no ssh behind. */
const leash = `exec 3<&0;d=$1;shift;"$@" </dev/null 3<&-& p=$!
{ cat <&3;kill $p;} >/dev/null 2>&1 & w=$!
exec 3<&-;wait $p;r=$?;rm -rf "$d";kill $w 2>/dev/null;exit $r`;

/** ssh itself limits how long a connection takes; logging in may need a finger on a key. */
function secondsOf(target: Target): number {
  return target.connectTimeout * 4 + wait('openssh').deadline;
}

type Outcome = 'there' | 'ended' | 'late' | 'aborted' | Error;

/** The socket appears once ssh is logged in. */
function firstOf(
  child: ChildProcess,
  closed: Promise<void>,
  dir: string,
  socket: string,
  seconds: number,
  signal?: AbortSignal,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const watcher = watch(dir, () => existsSync(socket) && done('there'));
    const timer = setTimeout(() => done('late'), seconds * 1000);
    const aborted = () => done('aborted');
    const done = (outcome: Outcome) => {
      watcher.close();
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
      resolve(outcome);
    };
    watcher.on('error', done);
    child.once('error', done);
    signal?.addEventListener('abort', aborted, { once: true });
    if (signal?.aborted) aborted();
    void closed.then(() => done('ended'));
    if (existsSync(socket)) done('there');
  });
}

/** The last of what ssh says: banners may be long, the reason comes at the end. */
function collected(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-8000);
  });
  return () => text;
}

function gone(child: ChildProcess, dir: string, askpass: Askpass | undefined): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => child.stdin?.destroy());
    child.once('close', async () => {
      askpass?.close();
      await rm(dir, { recursive: true, force: true });
      resolve();
    });
  });
}

function lateText(target: Target, said: string): string {
  return `${target.host}: ssh has not logged in after ${secondsOf(target)} s${said.trim() ? `: ${said.trim()}` : ''}`;
}

function notStarted(cause: Error): SessionError {
  return new SessionError('unreachable', 'transport', `cannot start ssh: ${cause.message}`, {
    hint: 'the transport openssh needs the OpenSSH client on this machine, in PATH',
    cause,
  });
}
