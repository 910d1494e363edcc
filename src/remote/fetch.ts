import { quote } from '../core/quote.ts';
import { SessionError } from '../core/session.ts';
import { newMarker, type StreamName, type Trip, type TripReader } from './trip.ts';

export interface FetchTrip extends Trip {
  bytes(): Buffer;
}

/** The bytes of a file, at most `limit`; a larger one is an error, never a cut copy. */
export function fetchTrip(path: string, limit: number): FetchTrip {
  const marker = newMarker();
  const reader = new FileReader(path, limit);
  const name = quote(path.startsWith('-') ? `./${path}` : path);
  const text = `{ kp_go ${marker};kp_2 begin raw;head -c ${limit + 1} ${name};kp_2 end raw $?;kp_end 0;}\n`;
  return { marker, text, reader, bytes: () => reader.bytes() };
}

class FileReader implements TripReader {
  private readonly path: string;
  private readonly limit: number;
  private readonly chunks: Record<StreamName, Buffer[]> = { stdout: [], stderr: [] };
  private rc = -1;

  constructor(path: string, limit: number) {
    this.path = path;
    this.limit = limit;
  }

  begin(stream: StreamName) {
    return (chunk: Buffer) => void this.chunks[stream].push(Buffer.from(chunk));
  }

  end(_stream: StreamName, [, rc]: string[]) {
    this.rc = Number(rc);
  }

  note(): undefined {}

  bytes(): Buffer {
    const bytes = Buffer.concat(this.chunks.stdout);
    if (this.rc !== 0) throw failed(`cannot read ${this.path}: ${Buffer.concat(this.chunks.stderr).toString().trim()}`);
    if (bytes.length > this.limit) throw failed(`${this.path} is larger than ${this.limit} bytes`);
    return bytes;
  }
}

function failed(message: string): SessionError {
  return new SessionError('protocol', 'fetch', message);
}
