import { randomBytes } from 'node:crypto';
import type { Identity } from '../core/identity.ts';
import type { Target } from '../core/session.ts';
import type { Trace } from './trace.ts';

export type StreamName = 'stdout' | 'stderr';

/** Reads one trip. Bytes outside its frames are noise. Called from data events, so it must not throw. */
export interface TripReader {
  /** A frame opens; what it returns takes the bytes until `end`. */
  begin(stream: StreamName, words: string[]): ((chunk: Buffer) => void) | undefined;
  end(stream: StreamName, words: string[]): void;
  /** Any other frame line; a number returned is a count of raw bytes that follow (into the open frame). */
  note(stream: StreamName, words: string[]): number | undefined;
}

export interface Trip {
  marker: string;
  /** One complete compound command; before the first one, a library. */
  text: string;
  reader: TripReader;
  /** The shell ends with it. */
  last?: boolean | undefined;
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
  stateDir?: string;
  trace: Trace;
  stats: { trips: number; sent: number; received: number };
}

/** 128 bits that no output can hold by chance. */
export const newMarker = () => randomBytes(16).toString('hex');
