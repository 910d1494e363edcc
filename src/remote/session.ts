import { type Identity, identityKey, loginIdentity } from '../core/identity.ts';
import type {
  AskBlock,
  Blob,
  BlobSource,
  ChangeReply,
  ChangeTrip,
  LiveOutput,
  Pulled,
  Served,
  Session,
  Target,
} from '../core/session.ts';
import { SessionError } from '../core/session.ts';
import { ms, wait } from '../core/waits.ts';
import { askTrip, librariesText, libraryNames } from './ask.ts';
import { beatMs } from './base.sh.ts';
import { isLogin } from './become.ts';
import { type ChangeRun, changeTrip } from './change.ts';
import { changeLibraries } from './change-library.ts';
import { Connections } from './connections.ts';
import { fetchTrip } from './fetch.ts';
import { Lane } from './lane.ts';
import { openShell } from './open-shell.ts';
import { furtherChannels } from './pace.ts';
import type { Shell } from './shell.ts';
import { aheadLibrary, stageLibrary } from './stage.sh.ts';
import { sendBlob } from './stage.ts';
import type { UploadShell } from './talk.ts';
import { traceTo } from './trace.ts';
import type { Transport } from './transport.ts';
import { pulledOf, pullTrip, servedOf, serveTrip } from './tree.ts';
import { newMarker, type ShellOptions, type Trip } from './trip.ts';

export interface SessionDeps {
  transport: Transport;
  /** Seconds of silence after which the host ends what runs; by default that of the table of waits. */
  deadline?: number;
  /** Milliseconds between signs of life; default a sixth of the deadline, less where that is short. */
  beat?: number;
  /** Milliseconds a shell may take to say its first word; by default that of the table of waits after the time to connect. */
  openTimeout?: number;
  /** Milliseconds of a round trip; by default as the channels of the connection took. */
  roundTrip?: number;
  /** Directory on the host for lock and runs; default /run/kpush.lock and /run/kpush, for a plain user its own. */
  stateDir?: string;
  /** File that gets all that is sent and received; default $KPUSH_TRACE. */
  trace?: string;
}

/** What kpush has on one host. Nothing is connected before the first use. */
export function openSession(target: Target, deps: SessionDeps): Session {
  return new HostSession(target, deps);
}

const uploadLibraries = { stage: stageLibrary, ahead: aheadLibrary };

class HostSession implements Session {
  readonly stats = { connections: 0, trips: 0, sent: 0, received: 0 };
  private readonly target: Target;
  private readonly deps: SessionDeps;
  private readonly lanes = new Map<string, Lane>();
  private readonly connections: Connections;
  private readonly id = newMarker().slice(0, 16);
  private stopping = false;

  constructor(target: Target, deps: SessionDeps) {
    this.target = target;
    this.deps = deps;
    this.connections = new Connections(target, deps.transport, () => this.stats.connections++);
  }

  warm(signal?: AbortSignal): void {
    this.connections.warm(signal);
  }

  async ask(identity: Identity, blocks: AskBlock[], signal?: AbortSignal): Promise<string[][]> {
    if (blocks.length === 0) return [];
    const mayBeSeen = !blocks.some((block) => block.secret);
    return this.lane(identity).run(signal, async (lane) => {
      const visible = mayBeSeen && !lane.shell?.alive;
      const trip = askTrip(blocks, visible, known(lane));
      learn(await this.run(lane, identity, trip, visible, signal), blocks);
      return trip.answers();
    });
  }

  async change(change: ChangeTrip, live: LiveOutput, signal?: AbortSignal): Promise<ChangeReply> {
    let begun: ChangeRun | undefined;
    const reply = this.lane(change.identity).run(signal, async (lane) => {
      if (this.stopping) throw new SessionError('aborted', 'change', 'stopped before this change began');
      const has: ReadonlySet<string> = lane.shell?.alive ? lane.shell.has : new Set();
      const blocks = blocksOf(change);
      const library = changeLibraries(change, has);
      const since = has.has('change') ? '' : `kp_now=${now()}\n`;
      const missing = since + library.text + librariesText(blocks, known(lane));
      const trip = changeTrip(change, live, missing, this.id);
      begun = trip;
      const shell = await this.run(lane, change.identity, trip, false, signal);
      for (const name of library.names) shell.has.add(name);
      learn(shell, blocks);
      return trip.reply();
    });
    return reply.catch((error) => {
      if (error instanceof SessionError && begun) error.seen = begun.seen();
      throw error;
    });
  }

  async stage(identity: Identity, blob: Blob, progress: (sent: number) => void, signal?: AbortSignal): Promise<void> {
    return this.lane(identity, 'stage').run(signal, async (lane) => {
      const roundTrip = this.deps.roundTrip ?? this.connections.roundTrip;
      const count = furtherChannels(blob.size, roundTrip);
      const further = Array.from({ length: count }, (_, n) => this.helper(identity, n, signal));
      const first = this.uploadShell(lane, identity, signal, true);
      const { deadline } = this.shellOptions(identity);
      await sendBlob({ first, further, deadline, roundTrip }, blob, progress);
    });
  }

  async serve(identity: Identity, blob: Blob, address: string, token: string, signal?: AbortSignal): Promise<Served> {
    return this.lane(identity, 'stage').run(signal, async (lane) => {
      const trip = serveTrip(blob, address, token, lane.shell);
      await this.runTree(lane, identity, trip, signal);
      return servedOf(trip.answers());
    });
  }

  async pull(identity: Identity, blob: Blob, from: BlobSource, signal?: AbortSignal): Promise<Pulled> {
    return this.lane(identity, 'stage').run(signal, async (lane) => {
      const trip = pullTrip(blob, from, lane.shell);
      await this.runTree(lane, identity, trip, signal);
      return pulledOf(trip.answers(), blob);
    });
  }

  async fetch(identity: Identity, path: string, limit: number, signal?: AbortSignal): Promise<Buffer> {
    return this.lane(identity).run(signal, async (lane) => {
      const trip = fetchTrip(path, limit);
      await this.run(lane, identity, trip, false, signal);
      return trip.bytes();
    });
  }

  stop(): void {
    this.stopping = true;
    for (const lane of this.lanes.values()) lane.shell?.stop();
  }

  async reset(): Promise<void> {
    await this.leave();
    this.lanes.clear();
    await this.connections.reset();
  }

  async close(): Promise<void> {
    await this.leave();
    await this.connections.close();
  }

  private uploadShell(lane: Lane, identity: Identity, signal: AbortSignal | undefined, further: boolean): UploadShell {
    return {
      run: async (library, trip) => {
        const has = lane.shell?.alive && lane.shell.has.has(library);
        const whole = { ...trip, text: (has ? '' : uploadLibraries[library]) + trip.text };
        const shell = await this.run(lane, identity, whole, false, signal, further);
        shell.has.add(library);
      },
      feed: () => lane.shell?.feed(),
      write: async (bytes) => lane.shell?.write(bytes),
      close: () => lane.close(),
    };
  }

  /** It has a lane, so that an interrupt ends it too. */
  private helper(identity: Identity, n: number, signal?: AbortSignal): UploadShell {
    const lane = this.lane(identity, `ahead ${n}`);
    const shell = this.uploadShell(lane, identity, signal, false);
    return { ...shell, run: (library, trip) => lane.run(signal, () => shell.run(library, trip)) };
  }

  private async runTree(lane: Lane, identity: Identity, trip: Trip, signal?: AbortSignal) {
    const { has } = await this.run(lane, identity, trip, false, signal);
    has.add('stage').add('tree');
  }

  private async leave() {
    await Promise.all([...this.lanes.values()].map((lane) => lane.leave()));
  }

  /** Runs a trip on the lane's shell, opening one when there is none that lives. */
  private async run(
    lane: Lane,
    identity: Identity,
    trip: Trip,
    visible: boolean,
    signal?: AbortSignal,
    further = true,
  ) {
    if (lane.shell?.alive) await lane.shell.run(trip);
    else {
      const opening = (shell: Lane['shell']) => {
        lane.shell = shell;
      };
      const exec = await this.connections.exec(signal, further);
      lane.shell = await openShell(exec, this.shellOptions(identity), { trip, visible, opening });
    }
    return lane.shell;
  }

  private shellOptions(identity: Identity): ShellOptions {
    const { deps, target, stats } = this;
    const deadline = deps.deadline ?? wait('silence').deadline;
    return {
      target,
      identity,
      deadline,
      beat: deps.beat ?? beatMs(deadline),
      openTimeout: deps.openTimeout ?? ms(target.connectTimeout + wait('open').deadline),
      stateDir: deps.stateDir,
      trace: traceTo(deps.trace ?? process.env.KPUSH_TRACE, target.host),
      stats,
    };
  }

  /** Uploads have shells of their own: their stdin is taken for as long as they last. */
  private lane(identity: Identity, purpose = ''): Lane {
    const key = `${identityKey(isLogin(this.target, identity) ? loginIdentity : identity)} ${purpose}`;
    const lane = this.lanes.get(key) ?? new Lane();
    this.lanes.set(key, lane);
    return lane;
  }
}

/** For people: who is locked out is told since when. */
function now(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}

/** Libraries of questions that the lane's shell has. */
function known({ shell }: Lane): ReadonlySet<string> {
  return shell?.alive ? shell.knows : new Set();
}

function learn(shell: Shell, blocks: readonly AskBlock[]) {
  for (const name of libraryNames(blocks)) shell.knows.add(name);
}

function blocksOf({ guard, steps, next }: ChangeTrip): AskBlock[] {
  return [...(guard?.blocks ?? []), ...steps.flatMap((step) => step.proof), ...next];
}
