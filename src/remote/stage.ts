import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { quoteAll } from '../core/quote.ts';
import { type Blob, SessionError } from '../core/session.ts';
import { patience } from './base.sh.ts';
import { blobWord } from './blob-store.ts';
import { Chunks, changed, feedAhead, feedFirst } from './chunks.ts';
import { Pace } from './pace.ts';
import { slowSeconds } from './shell.ts';
import { Talk, type UploadShell } from './talk.ts';
import { newMarker } from './trip.ts';

export interface UploadShells {
  first: UploadShell;
  /** On channels of their own, where the window of one is what limits it. An upload does without those it does not get. */
  further: UploadShell[];
  /** Seconds of silence after which the host ends everything. */
  deadline: number;
  /** Of the link, in milliseconds. */
  roundTrip: number;
}

/** What is to be sent, and how much at once. */
interface Work {
  chunks: Chunks;
  pace: Pace;
}

/** Sends what is missing of a blob, verified on the host before its path exists. `progress`: bytes that are there. */
export async function sendBlob(shells: UploadShells, blob: Blob, progress: (there: number) => void): Promise<void> {
  const file = await open(blob.source, 'r');
  try {
    if ((await file.stat()).size !== blob.size) throw changed(blob);
    await new Upload(shells, blob, file, progress).run();
  } finally {
    await file.close();
  }
}

class Upload {
  private readonly shells: UploadShells;
  private readonly blob: Blob;
  private readonly file: FileHandle;
  private readonly main: Talk;
  private readonly ahead: Talk[];
  private readonly progress: (there: number) => void;
  /** What comes ahead is named by it: a run that was cut off may not have ended there yet. */
  private readonly name = newMarker().slice(0, 16);
  private isOver = false;

  constructor(shells: UploadShells, blob: Blob, file: FileHandle, progress: (there: number) => void) {
    this.shells = shells;
    this.blob = blob;
    this.file = file;
    this.main = new Talk(shells.first);
    this.ahead = shells.further.map((shell) => new Talk(shell));
    this.progress = progress;
  }

  async run(): Promise<void> {
    const { main, ahead, blob, shells } = this;
    const { path, size, sha256 } = blob;
    const seconds = [patience(shells.deadline + slowSeconds(size)), patience(shells.deadline)];
    const up = `kp_up ${blobWord(path)} ${quoteAll([`${size}`, sha256, this.name, ...seconds.map(String)])}`;
    const work = main.told.then((words) => words && this.begin(words));
    const fed = work.then((some) => some && this.feed(some));
    try {
      await Promise.all([main.run('stage', up), fed, ...ahead.map((talk) => this.help(talk, work, fed))]);
    } catch (error) {
      this.end();
      const broken = [main, ...ahead].map((talk) => talk.broken).find(Boolean);
      throw broken ? new SessionError('protocol', 'stage', broken, { cause: error }) : error;
    }
  }

  /** `have`: what the host has of it. */
  private async begin(have: string[]): Promise<Work> {
    const { blob, main, shells } = this;
    const start = have[0] === 'done' ? blob.size : await resumeAt(blob, have);
    // Without full blocks one `head -c` takes all at once: in smaller pieces busybox's swallows what comes after.
    const whole = isAble(have) ? undefined : blob.size - start;
    const pace = new Pace({ start, roundTrip: shells.roundTrip, whole });
    this.progress(start);
    main.onThere = (there) => {
      pace.arrived(there);
      this.progress(there);
    };
    if (have[0] !== 'done') await main.say(`go ${start}`);
    return { chunks: new Chunks(this.file, blob, start, pace), pace };
  }

  private async feed({ chunks }: Work): Promise<void> {
    await feedFirst(chunks, (bytes) => this.main.write(bytes));
    for (const talk of this.ahead) if (!talk.isTold) talk.close();
  }

  /** A channel that could not be had is done without; one that was given something to bring is not. */
  private async help(talk: Talk, work: Promise<Work | undefined>, fed: Promise<unknown>): Promise<void> {
    const done = talk.run('ahead', `kp_ahead ${blobWord(this.blob.path)} ${this.name}`).catch((error) => {
      if (talk.isTold) throw error;
    });
    const helped = talk.told.then(async (words) => {
      const some = words && (await work);
      if (some) await this.bring(talk, some, isAble(words), fed);
    });
    await Promise.all([done, helped]);
  }

  /** On a slow link each of several channels would be slower than a host is patient. */
  private async bring(talk: Talk, { chunks, pace }: Work, able: boolean, fed: Promise<unknown>): Promise<void> {
    await Promise.race([pace.isWide, fed]);
    // It came up when the others were given up.
    if (this.isOver) return talk.close();
    await talk.say('go');
    if (able) pace.channels++;
    await feedAhead(able ? chunks : chunks.none(), (bytes) => talk.write(bytes));
  }

  private end() {
    this.isOver = true;
    for (const talk of [this.main, ...this.ahead]) talk.close();
  }
}

/** Whether its dd fills blocks. */
function isAble(words: string[]): boolean {
  return words.at(-1) === 'dd';
}

/** Where to go on: after the part that is there, if it is the beginning of this file. */
async function resumeAt(blob: Blob, [size = '0', sha256]: string[]): Promise<number> {
  const there = Number(size);
  if (!(there > 0 && there <= blob.size)) return 0;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(blob.source, { end: there - 1 })) hash.update(chunk as Buffer);
  return hash.digest('hex') === sha256 ? there : 0;
}
