import { setTimeout as pause } from 'node:timers/promises';
import type { SessionError } from '../core/session.ts';
import { ms, wait } from '../core/waits.ts';
import { patience } from './base.sh.ts';
import type { BecomeWay } from './become.ts';
import { Capture } from './capture.ts';
import { Entrance } from './entrance.ts';
import { FrameParser } from './frames.ts';
import { closedError, goneError, refusedError } from './shell-errors.ts';
import type { Channel, ChannelEnd, ChannelHandlers } from './transport.ts';
import { newMarker, type ShellOptions, type StreamName, type Trip, type TripReader } from './trip.ts';

export type Exec = (command: string, handlers: ChannelHandlers) => Promise<Channel>;

/** A script that takes longer to come in than silence may last gets a longer deadline; judged at 32 KiB a second. */
const slowScript = 512 * 1024;
const slowRate = 32 * 1024;

/** Seconds more of silence that a script of so many bytes may need to come in. */
export const slowSeconds = (bytes: number) => (bytes > slowScript ? Math.ceil(bytes / slowRate) : 0);

/** A link that is gone without a word must not hold up the end of a run. */
const goodbye = () => ms(wait('goodbye').deadline);

interface Running {
  reader: TripReader;
  ended: Set<StreamName>;
  begun: () => void;
  settle: (error?: SessionError) => void;
}

/** One living `sh -s` on a host, under one identity. Trips run one at a time. Made by `openShell`. */
export class Shell {
  readonly noise = new Capture(64 * 1024);
  /** Names this shell's own frames. */
  readonly marker = newMarker();
  /** Which libraries it has. */
  readonly has = new Set<string>();
  /** Which libraries of questions it has. */
  readonly knows = new Set<string>();
  private readonly options: ShellOptions;
  private readonly parsers: Record<StreamName, FrameParser>;
  private readonly sinks: Partial<Record<StreamName, (chunk: Buffer) => void>> = {};
  private channel: Channel | undefined;
  private state: 'sending' | 'running' | 'feeding' | 'idle' | 'dead' = 'sending';
  private trip: Running | undefined;
  private began = false;
  private stopping = false;
  private entrance = new Entrance(undefined, () => {});
  private silenced = false;
  private isLast = false;
  private readonly opened = performance.now();
  private goneCode: number | undefined;
  private readonly goneOn = new Set<StreamName>();
  private readonly died: Promise<void>;
  private dead: () => void = () => {};
  private timer: NodeJS.Timeout | undefined;

  constructor(options: ShellOptions) {
    this.options = options;
    this.parsers = { stdout: this.parser('stdout'), stderr: this.parser('stderr') };
    this.died = new Promise((resolve) => {
      this.dead = resolve;
    });
  }

  get alive(): boolean {
    return this.state !== 'dead';
  }

  async run(trip: Trip): Promise<void> {
    const bytes = Buffer.byteLength(trip.text);
    const done = this.expect(trip, bytes);
    await this.paced(bytes, () => Promise.all([this.send(trip.text), done]));
  }

  /** From here to its end the running trip reads stdin itself: what `write` sends, and no lines for R. */
  feed(): void {
    if (this.state === 'running') this.state = 'feeding';
  }

  async write(bytes: Buffer): Promise<void> {
    this.options.stats.sent += bytes.length;
    await this.put(bytes);
  }

  /** The running step may end, no other starts. */
  stop(): void {
    if (this.stopping) return;
    this.stopping = true;
    if (this.state === 'running') this.signal('kp_s\n');
  }

  /** Ends it by end of input; the watcher does the rest. */
  close(): void {
    this.die(closedError);
  }

  /**
   * Ends it in good order: between trips it is told that all answers came, and forgets what it kept of them. Waited
   * for, since sshd throws away what it has read when the connection ends in the same moment.
   */
  async leave(): Promise<void> {
    if (this.state === 'idle' && (this.has.has('change') || this.has.has('stage'))) {
      this.signal('kp_q\n');
      await Promise.race([this.died, pause(goodbye(), undefined, { ref: false })]);
    }
    this.close();
  }

  // What `openShell` needs.

  async start(exec: Exec, command: string, way?: BecomeWay): Promise<void> {
    this.entrance = new Entrance(way, () => this.channel?.end());
    this.options.trace('exec', command);
    this.options.stats.sent += command.length;
    this.channel = await exec(command, {
      onStdout: (chunk) => this.receive('stdout', chunk),
      onStderr: (chunk) => this.receive('stderr', chunk),
    });
    void this.channel.closed.then((end) => this.ended(end));
    if (this.state === 'dead') this.channel.close();
    this.timer = setInterval(() => this.beat(), this.options.beat);
    this.timer.unref();
  }

  /** Tells the password if it is asked for; resolves when the inner shell is there. Not traced. */
  enter(password: string | undefined): Promise<void> {
    return this.entrance.pass(password, (line) => this.put(`${line}\n`));
  }

  async send(text: string): Promise<void> {
    this.options.trace('send', text);
    this.options.stats.sent += text.length;
    await this.put(text);
  }

  /** Resolves at the end of a trip, rejects when there can be none. `bytes` is the length of its text. */
  expect({ marker, reader, last = false }: Trip, bytes = 0): Promise<void> {
    if (this.trip || this.state === 'dead') throw new Error('a trip on a shell that is not idle');
    for (const parser of Object.values(this.parsers)) parser.setMarkers([marker, this.marker]);
    this.state = 'sending';
    this.isLast = last;
    this.options.stats.trips++;
    const done = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => this.silent(), this.options.openTimeout + slowSeconds(bytes) * 1000);
      const begun = () => clearTimeout(timer);
      const settle = (error?: SessionError) => {
        clearTimeout(timer);
        this.trip = undefined;
        if (error) reject(error);
        else resolve();
      };
      this.trip = { reader, ended: new Set(), begun, settle };
    });
    done.catch(() => {}); // whoever sends its text may fail first, and nobody would wait for it
    return done;
  }

  /** Between trips only. */
  async setDeadline(seconds: number): Promise<void> {
    await this.send(`kill -HUP $kp_w;kp_d=${patience(seconds)};kp_w\n`);
  }

  /** While so many bytes come in, R cannot read signs of life. */
  private async paced(bytes: number, body: () => Promise<unknown>) {
    const more = slowSeconds(bytes);
    if (more) await this.setDeadline(this.options.deadline + more);
    await body();
    if (more) await this.setDeadline(this.options.deadline);
  }

  private receive(stream: StreamName, chunk: Buffer) {
    this.options.trace(stream, chunk);
    this.options.stats.received += chunk.length;
    this.parsers[stream].push(chunk);
  }

  private parser(stream: StreamName): FrameParser {
    return new FrameParser([this.marker], {
      data: (chunk) => {
        const sink = this.sinks[stream];
        if (sink) sink(chunk);
        else this.outside(chunk);
      },
      frame: (words, marker) => (marker === this.marker ? this.own(stream, words) : this.frame(stream, words)),
    });
  }

  private outside(chunk: Buffer) {
    this.noise.push(chunk);
    this.entrance.noise(chunk);
  }

  /** Frames of the shell itself. */
  private own(stream: StreamName, [word, value]: string[]): undefined {
    if (this.entrance.frame(word)) return;
    if (word === 'silent') this.silenced = true;
    if (word === 'gone') {
      this.goneCode = Number(value);
      this.goneOn.add(stream);
      if (this.goneOn.size === 2) this.ended({ code: this.goneCode, lost: false });
    }
  }

  private frame(stream: StreamName, [verb = '', ...words]: string[]): number | undefined {
    const { trip } = this;
    if (!trip) return undefined;
    if (words[0] === 'trip') return verb === 'begin' ? this.tripBegins(trip) : this.tripEnds(trip, stream);
    if (verb === 'begin') this.sinks[stream] = trip.reader.begin(stream, words);
    else if (verb === 'end') {
      this.sinks[stream] = undefined;
      trip.reader.end(stream, words);
    } else return trip.reader.note(stream, [verb, ...words]);
  }

  private tripBegins(trip: Running): undefined {
    if (this.state === 'sending') this.state = 'running';
    // W has waited since the shell came up, and the first trip is no sign of life by itself.
    if (!this.began && performance.now() - this.opened > this.options.beat) this.beat();
    this.began = true;
    trip.begun();
    if (this.stopping) this.signal('kp_s\n');
  }

  private tripEnds(trip: Running, stream: StreamName): undefined {
    this.sinks[stream] = undefined;
    trip.ended.add(stream);
    if (trip.ended.size < 2) return;
    this.state = 'idle';
    trip.settle();
  }

  private beat() {
    if (this.state === 'running' || this.state === 'idle') this.signal('kp_b\n');
  }

  /** Writing to a channel that closes fails; how it ended says more, and is told by the trip before this is. */
  private async put(data: string | Buffer): Promise<void> {
    try {
      await this.channel?.write(data);
    } catch (error) {
      await Promise.race([this.died, pause(goodbye(), undefined, { ref: false })]);
      throw error;
    }
  }

  /** A line the reader on the host takes; that it may fail is seen by `closed`. */
  private signal(line: string) {
    this.channel?.write(line).catch(() => {});
  }

  private silent() {
    if (this.state === 'sending') this.die(() => refusedError(this.story(), this.options.openTimeout / 1000));
  }

  private ended(end: ChannelEnd) {
    for (const parser of Object.values(this.parsers)) parser.end();
    this.die(() => goneError(this.story(), end));
  }

  /** An error is made only where a trip gets it: most shells end when none runs. */
  private die(error: () => SessionError) {
    if (this.state === 'dead') return;
    const isOver = this.isLast && !this.trip && this.goneCode !== undefined;
    this.state = 'dead';
    this.dead();
    clearInterval(this.timer);
    if (isOver) this.dropLate();
    else this.drop();
    this.trip?.settle(error());
  }

  private drop() {
    this.channel?.end();
    this.channel?.close();
  }

  /** After its last trip its connection is closed in a moment, which spares the words that close a channel. */
  private dropLate() {
    const timer = setTimeout(() => this.drop(), goodbye());
    timer.unref();
    void this.channel?.closed.then(() => clearTimeout(timer));
  }

  private story() {
    const { identity, target } = this.options;
    const { goneCode, began, silenced } = this;
    const { refused, unanswerable } = this.entrance;
    return {
      identity,
      target,
      refused,
      unanswerable,
      goneCode,
      began,
      silenced,
      noise: this.noise.bytes().toString('utf8'),
    };
  }
}
