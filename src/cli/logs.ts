import { setTimeout as sleep } from 'node:timers/promises';
import type { RunEvent } from '../core/events.ts';
import { ms, wait } from '../core/waits.ts';
import { eventLines } from '../report/event-lines.ts';
import { isRunning, readJournal } from '../report/journal-read.ts';
import type { Style } from '../report/style.ts';
import { wholeLines } from '../report/whole-lines.ts';
import { clock } from '../report/wording.ts';
import type { Output } from './output.ts';

export interface LogOptions {
  host?: string;
  follow: boolean;
  output: Output;
  style: Style;
}

/** Prints a run's journal; with `follow` until the run is over or the reader is gone. */
export async function printLogs(dir: string, options: LogOptions) {
  const whole = wholeLines();
  const print = (events: RunEvent[]) => {
    for (const event of events.flatMap(whole)) printEvent(event, options);
  };
  let offset = 0;
  let broken = 0;
  for (let isOver = false; !isOver; ) {
    const running = isRunning(dir); // before reading: what is written last must still be read
    const read = readJournal(dir, offset);
    print(read.events);
    offset = read.next;
    broken += read.broken;
    const ended = read.events.some((event) => event.type === 'run-end');
    isOver = !options.follow || ended || !running || !options.output.isRead();
    if (!isOver) await sleep(ms(wait('follow').interval));
  }
  if (broken > 0) options.output.err(`${broken} lines of this journal cannot be read\n`);
}

function printEvent(event: RunEvent, { host, output, style }: LogOptions) {
  if (host !== undefined && (!('host' in event) || event.host !== host)) return;
  const lines = eventLines(event, { style, verbosity: 2, diff: true });
  output.out(lines.map((line) => `${style.dim(clock(event.time))} ${line}\n`).join(''));
}
