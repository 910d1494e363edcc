import type { Duplex } from 'node:stream';
import type { Client } from 'ssh2';
import { SessionError, type Target } from '../../core/session.ts';
import { type Dialled, dial } from './dial.ts';
import { dialByProxy } from './proxied.ts';

export interface Hop {
  stream: Duplex;
  release(): void;
}

interface Shared {
  dialled: Promise<Dialled>;
  users: number;
  release: () => void;
}

/** Jump hosts: one connection to each, shared by all hosts behind it, closed when the last of them lets go. */
export class JumpHosts {
  private readonly hops = new Map<string, Shared>();

  /** A stream to `target` through `jump`, which may itself be behind another. */
  async through(jump: Target, target: Target, signal?: AbortSignal): Promise<Hop> {
    const key = JSON.stringify([
      jump.user,
      jump.address,
      jump.port,
      jump.proxyJump,
      jump.proxyCommand,
      jump.identityFiles,
      jump.agent,
    ]);
    const shared = this.hops.get(key) ?? this.open(key, jump, signal);
    shared.users++;
    const release = once(() => this.letGo(key, shared));
    try {
      const { client } = await shared.dialled;
      return { stream: await forward(client, jump, target), release };
    } catch (error) {
      release();
      throw viaHop(jump, error);
    }
  }

  private open(key: string, jump: Target, signal?: AbortSignal): Shared {
    const shared: Shared = { dialled: this.dialJump(jump, signal, () => shared), users: 0, release: () => {} };
    this.hops.set(key, shared);
    shared.dialled.then(
      ({ client }) => client.once('close', () => this.forget(key, shared)),
      () => this.forget(key, shared),
    );
    return shared;
  }

  private async dialJump(jump: Target, signal: AbortSignal | undefined, shared: () => Shared): Promise<Dialled> {
    if (!jump.proxyJump) return dialByProxy(jump, signal);
    const hop = await this.through(jump.proxyJump, jump, signal);
    shared().release = hop.release;
    return dial(jump, hop.stream, signal);
  }

  private letGo(key: string, shared: Shared) {
    if (--shared.users > 0) return;
    this.forget(key, shared);
    shared.dialled.then(
      ({ client }) => client.end(),
      () => {},
    );
    shared.release();
  }

  private forget(key: string, shared: Shared) {
    if (this.hops.get(key) === shared) this.hops.delete(key);
  }
}

/** Those of this process. */
export const jumps = new JumpHosts();

function forward(client: Client, jump: Target, target: Target): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    client.forwardOut('127.0.0.1', 0, target.address, target.port, (error, stream) => {
      if (error) reject(forwardError(jump, target, error));
      else resolve(stream);
    });
  });
}

function forwardError(jump: Target, target: Target, error: Error & { reason?: number }): SessionError {
  const to = `${target.address}:${target.port}`;
  if (error.reason === 1)
    return new SessionError('unreachable', 'tcp', `${jump.host} may not forward to ${to}`, {
      hint: 'AllowTcpForwarding and PermitOpen on the jump host',
    });
  return new SessionError('unreachable', 'tcp', `${jump.host} cannot reach ${to}`, { transient: true, cause: error });
}

function viaHop(jump: Target, error: unknown): unknown {
  if (!(error instanceof SessionError)) return error;
  const { kind, phase, transient, hint } = error;
  const options = { transient, cause: error, ...(hint ? { hint } : {}) };
  return new SessionError(kind, phase, `jump host ${jump.host}: ${error.message}`, options);
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}
