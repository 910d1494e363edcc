import type { Duplex } from 'node:stream';
import ssh2, { type Algorithms, type AnyAuthMethod, type Client, type ConnectConfig } from 'ssh2';
import { SessionError, type Target } from '../../core/session.ts';
import { ms, wait } from '../../core/waits.ts';
import { logInAhead } from './ahead.ts';
import { type AuthPlan, planAuth } from './auth.ts';
import { declineHostKeys } from './decline.ts';
import { type Phase, phaseError } from './errors.ts';
import { gatherWrites } from './gather.ts';
import { judgeHostKey, nameOf, orderedAlgorithms } from './host-key.ts';
import { appendKnownHost, readKnownHosts } from './known-files.ts';
import { usable } from './supported.ts';
import { tcp } from './tcp.ts';

export interface Dialled {
  client: Client;
  socket: Duplex;
  /** Resolves when the client is gone, however early. */
  closed: Promise<void>;
}

/** One attempt at a connection: TCP (or the stream of a jump host), key exchange, host key, authentication. */
export async function dial(target: Target, through: Duplex | undefined, signal?: AbortSignal): Promise<Dialled> {
  const known = await readKnownHosts(target.knownHostsFiles);
  const socket = through ?? (await tcp(target, signal));
  gatherWrites(socket);
  const client = new ssh2.Client();
  const closed = new Promise<void>((resolve) => client.once('close', resolve));
  const dialling = new Dialling(target, client, socket);
  try {
    const shown = await dialling.run(known, signal);
    if (shown.isNew && target.knownHostsFiles[0])
      // As ssh does: a key that cannot be written down is let pass all the same.
      await appendKnownHost(target.knownHostsFiles[0], nameOf(target), shown.blob, target.hashKnownHosts).catch(
        () => {},
      );
    return { client, socket, closed };
  } catch (error) {
    client.destroy();
    socket.destroy();
    // What ssh2 throws by itself is about its configuration: an unknown cipher name.
    throw error instanceof SessionError
      ? error
      : phaseError(target, 'kex', Object.assign(error as Error, { level: 'config' }));
  }
}

/** The state of one handshake. */
class Dialling {
  private readonly target: Target;
  private readonly client: Client;
  private readonly socket: Duplex;
  private phase: Phase = 'kex';
  private refused: SessionError | undefined;
  private verdict: { blob: Buffer; isNew: boolean } | undefined;
  private readonly tried: string[] = [];
  private allowed: string[] = [];
  private told = '';
  private plan: AuthPlan = { methods: [], notes: [], isRepeated: () => false };

  constructor(target: Target, client: Client, socket: Duplex) {
    this.target = target;
    this.client = client;
    this.socket = socket;
  }

  async run(known: Awaited<ReturnType<typeof readKnownHosts>>, signal?: AbortSignal) {
    this.plan = await planAuth(this.target);
    await new Promise<void>((resolve, reject) => {
      const timer = this.watch(reject);
      const fail = (error: Error & { level?: string }) => {
        // An agent that cannot sign is not the end: ssh2 goes on with the next key.
        if (error.level === 'agent') return;
        clearInterval(timer);
        reject(this.refused ?? this.describe(error));
      };
      const onAbort = () => reject(new SessionError('aborted', this.phase, 'interrupted'));
      signal?.addEventListener('abort', onAbort, { once: true });
      this.client.on('error', fail);
      this.client.on('handshake', () => {
        this.phase = 'auth';
      });
      this.client.on('banner', (text: string) => {
        this.told = text;
      });
      this.client.once('close', () => fail(new Error('closed')));
      this.client.once('ready', () => {
        clearInterval(timer);
        signal?.removeEventListener('abort', onAbort);
        this.client.off('error', fail);
        this.client.on('error', () => {}); // later failures show as close; without a listener Node ends
        resolve();
      });
      this.client.connect(this.config(known));
      logInAhead(this.client, this.plan.methods[0]);
      declineHostKeys(this.client);
    });
    if (!this.verdict) throw new Error('ready without a host key');
    return this.verdict;
  }

  /** A time for each phase, since a person's PAM may be slow where a network is not. */
  private watch(reject: (error: Error) => void): NodeJS.Timeout {
    let phase = this.phase;
    let since = performance.now();
    return setInterval(
      () => {
        if (this.phase !== phase) [phase, since] = [this.phase, performance.now()];
        const limit = this.target.connectTimeout * (phase === 'auth' ? 3 : 1);
        if (performance.now() - since > limit * 1000) reject(phaseError(this.target, phase, 'timeout'));
      },
      ms(wait('watch').interval),
    );
  }

  private config(known: Parameters<typeof judgeHostKey>[1]): ConnectConfig {
    const { target } = this;
    return {
      sock: this.socket as never,
      username: target.user,
      readyTimeout: 0,
      // ssh2 counts replies only, so data on a slow link would not keep it alive: it only sends, we judge (connection.ts).
      keepaliveInterval: target.keepaliveInterval * 1000,
      keepaliveCountMax: Number.MAX_SAFE_INTEGER,
      algorithms: algorithms(target, known),
      hostVerifier: (blob: Buffer) => this.verify(known, blob),
      authHandler: (left, _partial, next) =>
        this.nextMethod(left as string[] | null, next as (method: unknown) => void),
    };
  }

  /** Runs again at every rekey: the key must stay the one that was judged. */
  private verify(known: Parameters<typeof judgeHostKey>[1], blob: Buffer): boolean {
    if (this.verdict) return this.verdict.blob.equals(blob);
    this.phase = 'host-key';
    try {
      const verdict = judgeHostKey(this.target, known, blob);
      this.verdict = { blob: ownCopy(blob), isNew: verdict === 'new' };
      // As OpenSSH does: a host whose changed key was let pass gets no password.
      if (verdict === 'unchecked') this.plan.methods = this.plan.methods.filter(isKeyMethod);
      this.phase = 'kex';
      return true;
    } catch (error) {
      this.refused = error as SessionError;
      return false;
    }
  }

  private nextMethod(left: string[] | null, next: (method: unknown) => void): undefined {
    this.phase = 'auth';
    if (left) this.allowed = left;
    let method = this.plan.methods.shift();
    const isUseless = (one: AnyAuthMethod) => isRefused(one, left) || this.plan.isRepeated(one);
    while (method && isUseless(method)) method = this.plan.methods.shift();
    if (method) this.tried.push(methodText(method));
    next(method ?? false);
  }

  private describe(error: Error & { level?: string }): SessionError {
    const { tried, allowed, plan, told } = this;
    return phaseError(this.target, this.phase, error, { tried, allowed, notes: plan.notes, told });
  }
}

/** Not of Node's pool: what is kept for as long as a host is connected would keep 8 KB of it. */
function ownCopy(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** What is offered in the key exchange. */
export function algorithms(target: Target, known: Parameters<typeof judgeHostKey>[1]): Algorithms {
  const [cipher, hmac, kex] = [usable(target, 'ciphers'), usable(target, 'macs'), usable(target, 'kex')];
  return {
    // Who names them gets their order, as of ssh.
    serverHostKey: (usable(target, 'hostKeyAlgorithms') ??
      orderedAlgorithms(target, known, hostKeyAlgorithms)) as never,
    ...(cipher ? { cipher: cipher as never } : {}),
    ...(hmac ? { hmac: hmac as never } : {}),
    ...(kex ? { kex: kex as never } : {}),
  };
}

/** All that ssh2 1.17 verifies, SHA-1 signatures left out as OpenSSH does. */
const hostKeyAlgorithms = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
];

/** No server names `none` among what it takes. */
function isRefused(method: AnyAuthMethod, left: string[] | null): boolean {
  return left !== null && method.type !== 'none' && !left.includes(wireName(method));
}

function wireName({ type }: AnyAuthMethod): string {
  return type === 'agent' ? 'publickey' : type;
}

function isKeyMethod({ type }: AnyAuthMethod): boolean {
  return type !== 'password' && type !== 'keyboard-interactive';
}

function methodText(method: AnyAuthMethod): string {
  return method.type;
}
