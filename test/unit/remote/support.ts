import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { ChangeReply, ChangeTrip, RemoteStep, Session, StepReply, Target } from '../../../src/core/session.ts';
import { openSession, type SessionDeps } from '../../../src/remote/session.ts';
import { localTransport } from '../../../src/transports/local.ts';
import { tempFolder } from '../../support/temp.ts';

export function temp(): string {
  return tempFolder('remote');
}

/** The shells of this machine that a host may have as sh; the lab has all of them, so there all are tried. */
export function shells(): string[] {
  const found = ['/bin/dash', '/bin/bash'].filter((path) => existsSync(path));
  const busybox = ['/usr/bin/busybox', '/bin/busybox'].find((path) => existsSync(path));
  return busybox ? [...found, applet(busybox), busyboxOnly(busybox)] : found;
}

/** A host that has nothing but busybox. */
function busyboxOnly(busybox: string): string {
  const dir = temp();
  spawnSync(busybox, ['--install', '-s', dir]);
  const shell = join(dir, 'busybox-only');
  writeFileSync(shell, `#!${dir}/sh\nPATH=${dir} exec ${dir}/sh "$@"\n`, { mode: 0o755 });
  return shell;
}

function applet(busybox: string): string {
  const path = join(temp(), 'ash');
  symlinkSync(busybox, path);
  return path;
}

export function target(more: Partial<Target> = {}): Target {
  return {
    host: 'here',
    transport: 'local',
    address: '127.0.0.1',
    port: 22,
    user: userInfo().username,
    identityFiles: [],
    identitiesOnly: false,
    passphrases: {},
    knownHostsFiles: [],
    strictHostKeyChecking: 'yes',
    hashKnownHosts: false,
    connectTimeout: 5,
    keepaliveInterval: 15,
    keepaliveCount: 3,
    connectionAttempts: 1,
    shell: '/bin/sh',
    ...more,
  };
}

/** A session on this machine whose lock and runs are its own. */
export function local(shell: string, more: Partial<SessionDeps> = {}): Session {
  return openSession(target({ shell }), {
    transport: localTransport,
    stateDir: temp(),
    openTimeout: 15_000,
    ...more,
  });
}

/** Runs `body` with a session and closes it whatever happens. */
export async function withSession<T>(session: Session, body: (session: Session) => Promise<T>): Promise<T> {
  try {
    return await body(session);
  } finally {
    await session.close();
  }
}

export function step(key: string, script: string, more: Partial<RemoteStep> = {}): RemoteStep {
  return { key, script, onFail: 'stop', onCut: 'end', okCodes: [0], proof: [], ...more };
}

export function trip(steps: RemoteStep[], more: Partial<ChangeTrip> = {}, next: ChangeTrip['next'] = []): ChangeTrip {
  return { identity: {}, run: 'run-1', owner: 'me@here', steps, next, ...more };
}

/** The steps of a change that ran; throws when it did not. */
export function ran(reply: ChangeReply): StepReply[] {
  if (reply.status !== 'ran') throw new Error(`not run: ${JSON.stringify(reply)}`);
  return reply.steps;
}

export async function waitFor(what: string, check: () => boolean | Promise<boolean>, ms = 5000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function rejects(promise: Promise<unknown>, pattern: RegExp): Promise<void> {
  let message = 'it did not reject';
  try {
    await promise;
  } catch (error) {
    message = (error as Error).message;
  }
  assert.match(message, pattern);
}

/** Command lines of running processes, those with `word`. */
export function processesWith(word: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map(commandLine)
    .filter((line) => line.includes(word));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return ''; // it ended meanwhile
  }
}
