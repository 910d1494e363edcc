import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import ssh2, { type AuthContext, type Connection, type ServerChannel } from 'ssh2';
import type { Target } from '../../../src/core/session.ts';
import { tempFolder } from '../../support/temp.ts';
import { target } from '../remote/support.ts';

export interface ServerOptions {
  /** Judges one attempt. Default: any public key with a signature. */
  auth?: (context: AuthContext) => boolean;
  /** What the server says it takes. */
  methods?: string[];
  /** No attempt is answered before. */
  answersAfter?: Promise<void>;
  /** Sessions that one connection may hold open. */
  maxSessions?: number;
  hostKeys?: string[];
}

/** An SSH server in this process, on loopback; commands are run by this machine's sh. */
export class TestServer {
  readonly tried: string[] = [];
  readonly connections = new Set<Connection>();
  readonly commands: string[] = [];
  connected = 0;
  private readonly server: InstanceType<typeof ssh2.Server>;
  private readonly options: ServerOptions;
  private readonly children = new Set<ChildProcess>();

  private constructor(options: ServerOptions) {
    this.options = options;
    this.server = new ssh2.Server({ hostKeys: options.hostKeys ?? [keys.host.private] }, (connection) =>
      this.accept(connection),
    );
  }

  static async start(options: ServerOptions = {}): Promise<TestServer> {
    const server = new TestServer(options);
    await new Promise<void>((resolve) => server.server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** A target that reaches it with a key, its host key known. */
  target(more: Partial<Target> = {}): Target {
    return target({
      transport: 'ssh',
      port: this.port,
      user: 'someone',
      identityFiles: [keys.user.file],
      knownHostsFiles: [file(`[127.0.0.1]:${this.port} ${keys.host.public}\n`)],
      ...more,
    });
  }

  /** Drops every connection without a word. */
  cut(): void {
    for (const connection of this.connections)
      (connection as unknown as { _sock: { destroy(): void } })._sock.destroy();
  }

  /** Neither reads nor answers any more. */
  freeze(): void {
    for (const connection of this.connections) (connection as unknown as { _sock: { pause(): void } })._sock.pause();
  }

  async close(): Promise<void> {
    for (const child of this.children) child.kill('SIGKILL');
    this.cut();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private accept(connection: Connection) {
    this.connected++;
    this.connections.add(connection);
    connection.on('close', () => this.connections.delete(connection));
    connection.on('error', () => {});
    connection.on('authentication', (context) => this.authenticate(context));
    connection.on('session', this.sessions());
    connection.on('tcpip', (accept, _reject, info) => {
      const channel = accept();
      const socket = connect(info.destPort, info.destIP);
      socket.on('error', () => channel.close());
      channel.on('error', () => {});
      socket.pipe(channel).pipe(socket);
    });
  }

  private async authenticate(context: AuthContext) {
    const signed = context.method !== 'publickey' || context.signature !== undefined;
    this.tried.push(signed ? context.method : 'publickey?');
    if (this.options.answersAfter) await this.options.answersAfter;
    const accepts = this.options.auth ?? (({ method }) => method === 'publickey');
    if (context.method === 'keyboard-interactive' && this.options.auth)
      return context.prompt([{ prompt: 'Password: ', echo: false }], ([answer]) =>
        answer === 'secret' && accepts(context) ? context.accept() : context.reject(this.options.methods as never),
      );
    if (accepts(context)) return context.accept();
    context.reject((this.options.methods ?? ['publickey']) as never);
  }

  private sessions() {
    let open = 0;
    return (
      accept: () => {
        on(
          event: 'exec',
          listener: (accept: () => ServerChannel, reject: () => void, info: { command: string }) => void,
        ): void;
      },
      reject: () => void,
    ) => {
      if (open >= (this.options.maxSessions ?? 10)) return reject();
      open++;
      accept().on('exec', (acceptExec, _reject, info) => {
        this.commands.push(info.command);
        const channel = acceptExec();
        channel.on('close', () => open--);
        this.run(info.command, channel);
      });
    };
  }

  private run(command: string, channel: ServerChannel) {
    const child = spawn('/bin/sh', ['-c', command], { detached: true });
    this.children.add(child);
    channel.on('error', () => {});
    child.stdin.on('error', () => {});
    channel.pipe(child.stdin);
    child.stdout.pipe(channel, { end: false });
    child.stderr.pipe(channel.stderr, { end: false });
    child.on('close', async (code, signal) => {
      await drained(channel.stderr);
      this.children.delete(child);
      if (signal) channel.exit(signal.slice(3), false, '');
      else channel.exit(code ?? 0);
      channel.end();
    });
  }
}

/** ssh2's server ends a channel over what still waits for room on stderr. */
async function drained(stream: Writable) {
  while (stream.writableLength > 0 && !stream.destroyed) await sleep(5);
}

/** A file with this text in a folder of its own. */
export function file(text: string, name = 'file'): string {
  const path = join(tempFolder('ssh'), name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

function keyPair(passphrase?: string) {
  const options = passphrase ? { cipher: 'aes256-ctr', passphrase } : {};
  const pair = ssh2.utils.generateKeyPairSync('ed25519', options as never);
  const path = file(pair.private, 'key');
  writeFileSync(`${path}.pub`, `${pair.public}\n`);
  return { ...pair, file: path };
}

export const keys = {
  host: keyPair(),
  otherHost: keyPair(),
  user: keyPair(),
  second: keyPair(),
  encrypted: keyPair('open sesame'),
};
