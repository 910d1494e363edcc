import { type ChildProcess, spawn } from 'node:child_process';
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { SessionError, type Target } from '../core/session.ts';
import { ms, wait } from '../core/waits.ts';

/** The input and output of a ProxyCommand as the stream to a host. Its complaints are kept for errors. */
export interface ProxyStream {
  stream: Duplex;
  /** Ends the command. */
  end(): void;
  /** The error to tell instead of "closed", when the command is to blame. */
  blame(error: SessionError): Promise<SessionError>;
}

/** Runs it as OpenSSH does: by the user's shell, in front of it `exec`. */
export function openProxy(target: Target, command: string): ProxyStream {
  const child = spawn(process.env.SHELL ?? '/bin/sh', ['-c', `exec ${command.replace(/^exec\s+/, '')}`], {
    ...{ detached: true, stdio: 'pipe' },
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    said = (said + chunk).slice(-1000);
  });
  return {
    stream: duplex(child),
    end: () => void child.kill(),
    blame: async (error) => {
      await Promise.race([ended, sleep(ms(wait('words').deadline))]);
      return blamed(target, command, child, said.trim(), error);
    },
  };
}

function blamed(target: Target, command: string, child: ChildProcess, said: string, error: SessionError): SessionError {
  if (error.kind === 'host-key' || error.kind === 'auth' || error.kind === 'aborted') return error;
  const ended = child.exitCode === null ? '' : ` ended with exit ${child.exitCode}`;
  const message = `${target.host}: the ProxyCommand${ended}: ${said || error.message}`;
  const { kind, transient } = error;
  return new SessionError(kind, 'proxy', message, { transient, hint: `it is: ${command}`, cause: error });
}

function duplex(child: ChildProcess): Duplex {
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error('spawned without pipes');
  const stream = new Duplex({
    read: () => void stdout.resume(),
    write: (chunk, _encoding, done) => void stdin.write(chunk, (error) => done(error)),
    final: (done) => void stdin.end(done),
    destroy: (error, done) => {
      stdin.destroy();
      stdout.destroy();
      child.kill();
      done(error);
    },
  });
  stdin.on('error', () => {}); // a write that met it has told
  stdout.on('data', (chunk: Buffer) => void (stream.push(chunk) || stdout.pause()));
  stdout.once('close', () => {
    if (!stream.destroyed) stream.push(null);
  });
  child.once('error', (error) => stream.destroy(error));
  return stream;
}
