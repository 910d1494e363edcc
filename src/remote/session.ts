import { type Identity, identityKey, loginIdentity } from '../core/identity.ts';
import type { AskBlock, Blob, ChangeReply, ChangeTrip, LiveOutput, Session, Target } from '../core/session.ts';
import { SessionError } from '../core/session.ts';
import { askTrip } from './ask.ts';
import { isLogin } from './become.ts';
import { changeLibrary, finishLibrary } from './change.sh.ts';
import { changeTrip } from './change.ts';
import { Lane } from './lane.ts';
import { Shell, type ShellOptions, type Trip } from './shell.ts';
import { traceTo } from './trace.ts';
import type { Connection, Transport } from './transport.ts';

export interface SessionDeps {
  transport: Transport;
  /** Seconds of silence after which the host ends what runs; default 30. */
  deadline?: number;
  /** Milliseconds between signs of life; default a sixth of the deadline. */
  beat?: number;
  /** Milliseconds a shell may take to say its first word; default 30 s more than the connect timeout. */
  openTimeout?: number;
  /** File that gets all that is sent and received; default $KPUSH_TRACE. */
  trace?: string;
}

/** What kpush has on one host. Nothing is connected before the first use. */
export function openSession(target: Target, deps: SessionDeps): Session {
  return new HostSession(target, deps);
}

class HostSession implements Session {
  readonly stats = { connections: 0, trips: 0, sent: 0, received: 0 };
  private readonly target: Target;
  private readonly deps: SessionDeps;
  private readonly lanes = new Map<string, Lane>();
  private connection: Promise<Connection> | undefined;
  private stopping = false;
  private closed = false;

  constructor(target: Target, deps: SessionDeps) {
    this.target = target;
    this.deps = deps;
  }

  async ask(identity: Identity, blocks: AskBlock[], signal?: AbortSignal): Promise<string[][]> {
    if (blocks.length === 0) return [];
    const open = !blocks.some((block) => block.secret);
    return this.lane(identity).run(signal, async (lane) => {
      const trip = (visible: boolean) => askTrip(blocks, visible);
      return (await this.first(lane, identity, trip, open, signal)).answers();
    });
  }

  async change(trip: ChangeTrip, live: LiveOutput, signal?: AbortSignal): Promise<ChangeReply> {
    if (this.stopping) throw new SessionError('aborted', 'change', 'stopped before this change began');
    return this.lane(trip.identity).run(signal, async (lane) => {
      const build = (shell?: Shell) => changeTrip(trip, live, shell?.has.has('change') ?? false, library);
      const run = await this.later(lane, trip.identity, build, signal);
      return run.reply();
    });
  }

  async stage(_identity: Identity, _blob: Blob, _progress: (sent: number) => void): Promise<void> {
    throw new Error('not yet');
  }

  async fetch(): Promise<Buffer> {
    throw new Error('not yet');
  }

  stop(): void {
    this.stopping = true;
    for (const lane of this.lanes.values()) lane.shell?.stop();
  }

  async reset(): Promise<void> {
    for (const lane of this.lanes.values()) lane.close();
    this.lanes.clear();
    const { connection } = this;
    this.connection = undefined;
    await (await connection?.catch(() => undefined))?.close();
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.reset();
  }

  /** A trip that may open the shell it needs, riding in the exec command. */
  private async first<T extends Trip>(
    lane: Lane,
    identity: Identity,
    build: (visible: boolean) => T,
    mayBeSeen: boolean,
    signal?: AbortSignal,
  ): Promise<T> {
    const trip = build(mayBeSeen && !lane.shell?.alive);
    if (lane.shell?.alive) await lane.shell.run(trip);
    else lane.shell = await this.openShell(identity, trip, mayBeSeen, lane, signal);
    return trip;
  }

  /** A trip that is never seen in argv. */
  private async later<T extends Trip>(
    lane: Lane,
    identity: Identity,
    build: (shell?: Shell) => T,
    signal?: AbortSignal,
  ): Promise<T> {
    const { shell } = lane;
    const trip = build(shell?.alive ? shell : undefined);
    if (shell?.alive) await shell.run(trip);
    else lane.shell = await this.openShell(identity, trip, false, lane, signal);
    lane.shell?.has.add('change');
    return trip;
  }

  private async openShell(identity: Identity, trip: Trip, visible: boolean, lane: Lane, signal?: AbortSignal) {
    const connection = await this.connect(signal);
    return Shell.open(connection, this.shellOptions(identity), trip, visible, (shell) => {
      lane.shell = shell;
    });
  }

  private shellOptions(identity: Identity): ShellOptions {
    const { deps, target, stats } = this;
    const deadline = deps.deadline ?? 30;
    return {
      target,
      identity,
      deadline,
      beat: deps.beat ?? (deadline * 1000) / 6,
      openTimeout: deps.openTimeout ?? (target.connectTimeout + 30) * 1000,
      trace: traceTo(deps.trace ?? process.env.KPUSH_TRACE, target.host),
      stats,
    };
  }

  private async connect(signal?: AbortSignal): Promise<Connection> {
    if (this.closed) throw new SessionError('aborted', 'connect', 'the session is closed');
    this.connection ??= this.dial(signal);
    return this.connection;
  }

  private async dial(signal?: AbortSignal): Promise<Connection> {
    try {
      const connection = await this.deps.transport.connect(this.target, signal);
      this.stats.connections++;
      const forget = () => {
        this.connection = undefined;
      };
      void connection.closed.then(forget);
      return connection;
    } catch (error) {
      this.connection = undefined;
      throw error;
    }
  }

  private lane(identity: Identity): Lane {
    const key = identityKey(isLogin(this.target, identity) ? loginIdentity : identity);
    const lane = this.lanes.get(key) ?? new Lane();
    this.lanes.set(key, lane);
    return lane;
  }
}

const library = changeLibrary + finishLibrary;
