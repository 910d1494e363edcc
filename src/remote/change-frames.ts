import { StringDecoder } from 'node:string_decoder';
import {
  type AdoptedStep,
  type ChangeReply,
  type ChangeTrip,
  type LiveOutput,
  SessionError,
  type StepReply,
} from '../core/session.ts';
import { BlockRecords } from './ask.ts';
import { Capture } from './capture.ts';
import type { StreamName, TripReader } from './trip.ts';

/** Output of one step while it comes in. */
interface Running {
  stdout: Capture;
  stderr: Capture;
  decoders: Record<StreamName, StringDecoder>;
  start: number;
  end: number;
  rc: number;
  timedOut: boolean;
  /** Streams whose frame has ended. */
  ended: Set<StreamName>;
}

/** Understands the frames of a change trip: lock, leftovers, steps, proofs, next answers. */
export class ChangeFrames implements TripReader {
  private readonly trip: ChangeTrip;
  private readonly live: LiveOutput;
  private readonly marker: string;
  private readonly steps = new Map<number, Running>();
  private readonly proofs = new Map<number, BlockRecords>();
  /** Those that came in whole. */
  private readonly proved = new Set<number>();
  /** Of steps that started units: how these were at the end of the trip. */
  private readonly settled = new Map<number, Running>();
  private readonly old: { run: string; key: string; running: Running }[] = [];
  private readonly lock = new Capture(8192);
  private next: BlockRecords | undefined;
  private verdict: 'locked' | 'stale' | undefined;
  private broken: string | undefined;

  constructor(trip: ChangeTrip, live: LiveOutput, marker: string) {
    this.trip = trip;
    this.live = live;
    this.marker = marker;
  }

  begin(stream: StreamName, [kind, ...rest]: string[]) {
    if (kind === 's') return this.beginStep(stream, Number(rest[0]));
    if (kind === 'x') return this.beginSettled(stream, Number(rest[0]));
    if (kind === 'old') return this.beginOld(stream, rest);
    if (stream === 'stderr') return undefined;
    if (kind === 'p')
      return this.records(this.trip.steps[Number(rest[0])]?.proof ?? [], (r) => this.proofs.set(Number(rest[0]), r));
    if (kind === 'next') return this.records(this.trip.next, (r) => (this.next = r));
    if (kind === 'lock') {
      this.verdict = 'locked';
      return (chunk: Buffer) => this.lock.push(chunk);
    }
    return undefined;
  }

  end(stream: StreamName, [kind, ...rest]: string[]) {
    if (kind === 's') this.endStep(stream, Number(rest[0]), rest.slice(1));
    if (kind === 'p') this.proved.add(Number(rest[0]));
    if (kind === 'x') finish(this.settled.get(Number(rest[0])), stream, rest.slice(1));
    if (kind === 'old') finish(this.old.at(-1)?.running, stream, rest);
  }

  note(_stream: StreamName, [word, ...rest]: string[]): undefined {
    if (word === 'stale') this.verdict = 'stale';
    if (word === 'broken') this.broken = rest.join(' ');
  }

  reply(): ChangeReply {
    if (this.broken) throw new SessionError('protocol', 'change', this.broken);
    if (this.verdict === 'locked') return this.lockReply();
    if (this.verdict === 'stale') return { status: 'stale', ...adoptedField([...this.oldReplies(), ...this.early()]) };
    const steps = this.trip.steps.map((_step, n) => this.stepReply(n));
    const stopped = steps.some(({ status }) => status === 'not-run');
    const next = this.next?.end() ?? [];
    return { status: 'ran', steps, next, stopped, ...adoptedField(this.oldReplies()) };
  }

  /** Steps that ended and of which nothing (proofs) was still to come. */
  seen(): StepReply[] {
    const over = [...this.steps].filter(([n, running]) => running.ended.size === 2 && this.isProved(this.provedAt(n)));
    return over.map(([n]) => this.stepReply(n));
  }

  /** The step with whose facts those of step `n` are read. */
  private provedAt(n: number): number {
    return n + (this.trip.steps[n]?.provedAfter ?? 0);
  }

  private isProved(n: number): boolean {
    return this.steps.has(n + 1) || this.proved.has(n) || this.trip.steps[n]?.proof.length === 0;
  }

  private beginStep(stream: StreamName, n: number) {
    const key = this.trip.steps[n]?.key ?? String(n);
    let running = this.steps.get(n);
    if (!running) {
      running = start();
      this.steps.set(n, running);
      this.live.begin?.(key);
    }
    const { decoders, [stream]: capture } = running;
    return (chunk: Buffer) => {
      capture.push(chunk);
      const text = decoders[stream].write(chunk);
      if (text) this.live.output?.(key, stream, text);
    };
  }

  private endStep(stream: StreamName, n: number, words: string[]) {
    const running = this.steps.get(n);
    if (finish(running, stream, words)) this.live.end?.(this.trip.steps[n]?.key ?? String(n), running?.rc ?? -1);
  }

  private beginSettled(stream: StreamName, n: number) {
    const running = this.settled.get(n) ?? start();
    this.settled.set(n, running);
    return (chunk: Buffer) => running[stream].push(chunk);
  }

  private beginOld(stream: StreamName, [run = '', ...key]: string[]) {
    if (stream === 'stdout') this.old.push({ run, key: key.join(' '), running: start() });
    const capture = this.old.at(-1)?.running[stream];
    return capture && ((chunk: Buffer) => capture.push(chunk));
  }

  private records(blocks: ChangeTrip['next'], keep: (records: BlockRecords) => void) {
    const records = new BlockRecords(blocks, this.marker);
    keep(records);
    return (chunk: Buffer) => records.push(chunk);
  }

  private stepReply(n: number): StepReply {
    const step = this.trip.steps[n];
    if (!step) throw new Error(`no step ${n}`);
    const running = this.steps.get(n);
    const none = Buffer.alloc(0);
    if (!running)
      return {
        key: step.key,
        status: 'not-run',
        rc: -1,
        stdout: none,
        stderr: none,
        truncated: false,
        start: 0,
        end: 0,
        proof: [],
      };
    const later = this.settled.get(n);
    // Its units did not stay up: the step that started them has failed, whatever systemctl said.
    const fell = later !== undefined && later.rc !== 0;
    const ok = step.okCodes.includes(running.rc) && !fell;
    if (fell) running.stderr.push(later.stderr.bytes());
    return {
      key: step.key,
      status: running.timedOut ? 'timeout' : ok ? 'ok' : 'failed',
      rc: fell && running.rc === 0 ? later.rc : running.rc,
      ...output(running),
      truncated: running.stdout.truncated || running.stderr.truncated,
      start: running.start,
      end: running.end,
      proof: this.proofs.get(this.provedAt(n))?.end() ?? [],
    };
  }

  private oldReplies(): AdoptedStep[] {
    return this.old.map(({ run, key, running }) => ({ run, key, rc: running.rc, ...output(running) }));
  }

  /** Steps of this trip that finished by themselves since the link was lost, when the trip itself went no further. */
  private early(): AdoptedStep[] {
    return [...this.steps].map(([n, running]) => ({
      run: this.trip.run,
      key: this.trip.steps[n]?.key ?? String(n),
      rc: running.rc,
      ...output(running),
    }));
  }

  private lockReply(): ChangeReply {
    const [run = '', owner = '', since = ''] = this.lock.bytes().toString('utf8').split('\n');
    return { status: 'locked', run, owner, since };
  }
}

function start(): Running {
  const now = Date.now();
  return {
    stdout: new Capture(),
    stderr: new Capture(),
    decoders: { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') },
    start: now,
    end: now,
    rc: -1,
    timedOut: false,
    ended: new Set(),
  };
}

/** True when both streams of it have ended. */
function finish(running: Running | undefined, stream: StreamName, [rc, why]: string[]): boolean {
  if (!running) return false;
  running.rc = Number(rc);
  running.timedOut = why === 'timeout';
  running.end = Date.now();
  running.ended.add(stream);
  return running.ended.size === 2;
}

function output(running: Running): { stdout: Buffer; stderr: Buffer } {
  return { stdout: running.stdout.bytes(), stderr: running.stderr.bytes() };
}

function adoptedField(adopted: AdoptedStep[]): { adopted?: AdoptedStep[] } {
  return adopted.length ? { adopted } : {};
}
