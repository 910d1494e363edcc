import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { quote, quoteAll } from '../core/quote.ts';
import { type Blob, SessionError } from '../core/session.ts';
import { askTrip } from './ask.ts';
import { blobWord } from './blob-store.ts';
import { Pace } from './pace.ts';
import type { Shell } from './shell.ts';
import { stageLibrary } from './stage.sh.ts';
import { newMarker, type Trip, type TripReader } from './trip.ts';

/** The question what is there of a blob already; brings the library when the shell is new. */
export function haveTrip(blob: Blob, loaded: boolean) {
  const script = `kp_have ${blobWord(blob.path)} ${quote(blob.sha256)}\n`;
  const trip = askTrip([{ script, records: 2, names: [blob.path, 'dd'] }], false);
  return { ...trip, text: loaded ? trip.text : stageLibrary + trip.text };
}

/** Sends what is missing, verified on the host before `path` exists. `answers` are those of `haveTrip`. */
export async function sendBlob(
  shell: Shell,
  blob: Blob,
  answers: string[][],
  progress: (sent: number) => void,
): Promise<void> {
  const [have = '', dd = ''] = answers[0] ?? [];
  await checkSize(blob);
  if (have.trim() === 'done') return progress(blob.size);
  const offset = await resumeAt(blob, have.trim());
  progress(offset);
  const fullblock = dd.trim() === 'fullblock';
  // Without full blocks one `head -c` takes all at once: in smaller pieces busybox's swallows what comes after.
  const pace = new Pace(offset, fullblock ? undefined : blob.size - offset);
  const reader = new Progress((sent) => {
    pace.arrived(sent);
    progress(sent);
  });
  const marker = newMarker();
  const args = [`${offset}`, `${blob.size}`, blob.sha256, fullblock ? 'dd' : ''];
  const trip: Trip = {
    marker,
    text: `{ kp_raw ${marker};kp_up ${blobWord(blob.path)} ${quoteAll(args)};kp_2 end trip 0;}\n`,
    reader,
  };
  try {
    await shell.runWith(trip, () => feed(shell, blob, offset, pace), fullblock ? 0 : blob.size);
  } catch (error) {
    shell.close();
    throw reader.broken ? new SessionError('protocol', 'stage', reader.broken, { cause: error }) : error;
  }
}

async function feed(shell: Shell, blob: Blob, start: number, pace: Pace) {
  if (start === blob.size) return;
  const stream = createReadStream(blob.source, { start, end: blob.size - 1, highWaterMark: 1024 * 1024 });
  let sent = start;
  let left = 0;
  for await (const read of stream) {
    for (let piece = read as Buffer; piece.length > 0; ) {
      if (left === 0) left = await announce(shell, pace, blob.size - sent);
      const part = piece.subarray(0, left);
      await shell.write(part);
      piece = piece.subarray(part.length);
      left -= part.length;
      sent += part.length;
    }
  }
  if (sent !== blob.size) throw changed(blob);
}

/** Says what comes next; its bytes. */
async function announce(shell: Shell, pace: Pace, rest: number): Promise<number> {
  const { blocks, size } = pace.next(rest);
  await shell.write(Buffer.from(`${blocks} ${size}\n`));
  return blocks * size;
}

async function checkSize(blob: Blob) {
  const handle = await open(blob.source, 'r');
  try {
    if ((await handle.stat()).size !== blob.size) throw changed(blob);
  } finally {
    await handle.close();
  }
}

/** Where to go on: after the part that is there, if it is the beginning of this file. */
async function resumeAt(blob: Blob, have: string): Promise<number> {
  const [size = '0', sha256] = have.split(' ');
  const there = Number(size);
  if (!(there > 0 && there <= blob.size)) return 0;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(blob.source, { end: there - 1 })) hash.update(chunk as Buffer);
  return hash.digest('hex') === sha256 ? there : 0;
}

class Progress implements TripReader {
  broken: string | undefined;
  private readonly progress: (sent: number) => void;

  constructor(progress: (sent: number) => void) {
    this.progress = progress;
  }

  begin() {
    return undefined;
  }

  end() {}

  note(_stream: string, [word, ...rest]: string[]): undefined {
    if (word === 'at') this.progress(Number(rest[0]));
    if (word === 'broken') this.broken = rest.join(' ');
  }
}

function changed(blob: Blob): SessionError {
  return new SessionError(
    'protocol',
    'stage',
    `${blob.source} changed while it was sent: its size is not ${blob.size}`,
  );
}
