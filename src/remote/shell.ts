import { randomBytes } from 'node:crypto';
import type { Identity } from '../core/identity.ts';
import { SessionError, type Target } from '../core/session.ts';
import { baseLibrary } from './base.sh.ts';
import { becomeWay } from './become.ts';
import { Capture } from './capture.ts';
import { FrameParser } from './frames.ts';
import { maxCommand, openCommand } from './opener.ts';
import { goneError, refusedError } from './shell-errors.ts';
import type { Trace } from './trace.ts';
import type { Channel, ChannelEnd, Connection } from './transport.ts';

export type StreamName = 'stdout' | 'stderr';

/** Reads one trip. Bytes outside its frames are noise. */
export interface TripReader {
  /** A frame opens; what it returns takes the bytes until `end`. */
  begin(stream: StreamName, words: string[]): ((chunk: Buffer) => void) | undefined;
  end(stream: StreamName, words: string[]): void;
  /** Any other frame line; a number returned is a count of raw bytes that follow (into the open frame). */
  note(stream: StreamName, words: string[]): number | undefined;
}

export interface Trip {
  marker: string;
  /** One complete compound command. */
  text: string;
  reader: TripReader;
}

export interface ShellOptions {
  target: Target;
  identity: Identity;
  /** Seconds of silence after which the host ends everything. */
  deadline: number;
  /** Milliseconds between signs of life. */
  beat: number;
  /** Milliseconds for login, become and the first words of a shell. */
  openTimeout: number;
  trace: Trace;
  stats: { trips: number; sent: number; received: number };
}

/** 128 bits that no output can hold by chance. */
export const newMarker = () => randomBytes(16).toString('hex');

/** A script that takes longer to come in than silence may last gets a longer deadline; judged at 32 KiB a second. */
const slowScript = 512 * 1024;

/** One living `sh -s` on a host, under one identity. Trips run one at a time. */
export class Shell {
  readonly noise = new Capture(64 * 1024);
  /** Which libraries it has. */
  readonly has = new Set<string>();
  private readonly options: ShellOptions;
  private readonly marker = newMarker();
  private readonly parsers: Record<StreamName, FrameParser>;
  private readonly sinks: Record<StreamName, ((chunk: Buffer) => void) | undefined> = {
    stdout: undefined,
    stderr: undefined,
  };
  private channel: Channel | undefined;
  private state: 'sending' | 'running' | 'idle' | 'dead' = 'sending';
  private trip: { reader: TripReader; ended: Set<StreamName>; settle: (error?: SessionError) => void } | undefined;
  private ready: () => void = () => {};
  private prompts = 0;
  private goneCode: number | undefined;
  private began = false;
  private timer: NodeJS.Timeout | undefined;

  private constructor(options: ShellOptions) {
    this.options = options;
    this.parsers = { stdout: this.parser('stdout'), stderr: this.parser('stderr') };
  }

  /** Opens a shell and runs its first trip: inside the exec command when it may be seen there, else by stdin. */
  static async open(
    connection: Connection,
    options: ShellOptions,
    first: Trip,
    visible: boolean,
    opening: (shell: Shell) => void = () => {},
  ): Promise<Shell> {
    const shell = new Shell(options);
    opening(shell); // so that it can be closed while it opens
    const way = becomeWay(options.target, options.identity, `\n${shell.marker} password\n`);
    const library = baseLibrary({ id: shell.marker, deadline: options.deadline, shell: shell.path });
    const opener = (text: string) => openCommand({ way, shell: shell.path, marker: shell.marker, first: text });
    const inline = visible && !way?.password ? opener(library + first.text) : undefined;
    const fits = inline !== undefined && inline.length <= maxCommand;
    const ready = way?.password ? new Promise<void>((resolve) => (shell.ready = resolve)) : undefined;
    const done = shell.expect(first);
    try {
      await shell.start(connection, fits ? inline : opener(way?.password ? '' : library));
      if (ready) await shell.login(ready, done, `${shell.marker}\n${library}`);
      if (!fits) await shell.send(first.text);
      await done;
    } catch (error) {
      shell.close();
      done.catch(() => {}); // the same failure, already reported
      throw error;
    }
    return shell;
  }

  get alive(): boolean {
    return this.state !== 'dead';
  }

  async run(trip: Trip): Promise<void> {
    if (this.state !== 'idle') throw new Error(`trip on a shell that is ${this.state}`);
    const done = this.expect(trip);
    const slow = trip.text.length > slowScript;
    const { deadline } = this.options;
    const long = deadline + Math.ceil(trip.text.length / (32 * 1024));
    await this.send(slow ? `kp_dl ${long}\n${trip.text}kp_dl ${deadline}\n` : trip.text);
    await done;
  }

  /** Bytes for a command of the running trip that reads stdin itself. */
  async feed(bytes: Buffer): Promise<void> {
    this.options.stats.sent += bytes.length;
    await this.channel?.write(bytes);
  }

  /** The running step may end, no other starts. */
  stop(): void {
    if (this.state === 'running') this.signal('kp_s\n');
  }

  /** Ends it in good order between trips, else by end of input; the watcher does the rest. */
  close(): void {
    if (this.state === 'dead') return;
    if (this.state === 'idle' && this.has.has('change')) this.signal('kp_q\n');
    const { trip } = this;
    this.die();
    this.channel?.end();
    this.channel?.close();
    trip?.settle(new SessionError('aborted', 'trip', 'the shell was closed'));
  }

  private get path(): string {
    return this.options.target.shell || '/bin/sh';
  }

  private async start(connection: Connection, command: string) {
    const { trace, stats } = this.options;
    trace('exec', command);
    stats.sent += command.length;
    this.channel = await connection.exec(command, {
      onStdout: (chunk) => this.receive('stdout', chunk),
      onStderr: (chunk) => this.receive('stderr', chunk),
    });
    void this.channel.closed.then((end) => this.ended(end));
    this.timer = setInterval(() => this.beat(), this.options.beat);
    this.timer.unref();
  }

  /** Sends the password, waits for the inner shell; a failure shows in `done`. */
  private async login(ready: Promise<void>, done: Promise<void>, text: string) {
    await this.channel?.write(`${this.options.target.becomePassword}\n`);
    await Promise.race([ready, done]);
    await this.send(text);
  }

  private expect({ marker, reader }: Trip): Promise<void> {
    for (const parser of Object.values(this.parsers)) parser.setMarkers([marker, this.marker]);
    this.state = 'sending';
    this.options.stats.trips++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.silent(), this.options.openTimeout);
      this.trip = {
        reader,
        ended: new Set(),
        settle: (error) => {
          clearTimeout(timer);
          this.trip = undefined;
          if (error) reject(error);
          else resolve();
        },
      };
    });
  }

  private async send(text: string) {
    this.options.trace('send', text);
    this.options.stats.sent += text.length;
    await this.channel?.write(text);
  }

  private receive(stream: StreamName, chunk: Buffer) {
    this.options.trace(stream, chunk);
    this.options.stats.received += chunk.length;
    this.parsers[stream].push(chunk);
  }

  private parser(stream: StreamName): FrameParser {
    return new FrameParser([this.marker], {
      data: (chunk) => (this.sinks[stream] ?? ((bytes) => this.noise.push(bytes)))(chunk),
      frame: (words, marker) => (marker === this.marker ? this.own(words) : this.frame(stream, words)),
    });
  }

  /** Frames of the shell itself. */
  private own([word, value]: string[]): undefined {
    if (word === 'ready') this.ready();
    // Asked twice: the first answer was wrong. End of input ends sudo before a third try counts against the account.
    if (word === 'password' && ++this.prompts === 2) this.channel?.end();
    if (word === 'gone') {
      this.goneCode = Number(value);
      this.ended({ lost: false });
    }
  }

  private frame(stream: StreamName, words: string[]): number | undefined {
    const { trip } = this;
    if (!trip) return undefined;
    if (words[1] === 'trip') return this.tripFrame(stream, words[0] === 'begin');
    if (words[0] === 'begin') this.sinks[stream] = trip.reader.begin(stream, words.slice(1));
    else if (words[0] === 'end') {
      this.sinks[stream] = undefined;
      trip.reader.end(stream, words.slice(1));
    } else return trip.reader.note(stream, words);
  }

  private tripFrame(stream: StreamName, begins: boolean): undefined {
    this.sinks[stream] = undefined;
    const { trip } = this;
    if (begins) {
      this.state = 'running';
      this.began = true;
    } else trip?.ended.add(stream);
    if (trip?.ended.size === 2) {
      this.state = 'idle';
      trip.settle();
    }
  }

  private beat() {
    if (this.state === 'running' || (this.state === 'idle' && this.began)) this.signal('kp_b\n');
  }

  /** A line the reader on the host takes; that it may fail is seen by `closed`. */
  private signal(line: string) {
    this.channel?.write(line).catch(() => {});
  }

  private silent() {
    if (this.state !== 'sending') return;
    const { trip } = this;
    this.die();
    this.channel?.close();
    trip?.settle(refusedError({ ...this.story(), seconds: this.options.openTimeout / 1000 }));
  }

  private ended(end: ChannelEnd) {
    const { trip } = this;
    for (const parser of Object.values(this.parsers)) parser.end();
    this.die();
    trip?.settle(goneError(this.story(), end));
    this.channel?.close();
  }

  private die() {
    this.state = 'dead';
    clearInterval(this.timer);
  }

  private story() {
    const { identity, target } = this.options;
    const { prompts, goneCode, began } = this;
    return { identity, target, prompts, goneCode, began, noise: this.noise.bytes().toString('utf8') };
  }
}
