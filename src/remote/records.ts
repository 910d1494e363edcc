import { SessionError } from '../core/session.ts';

/** Largest single answer; a bigger one is an error that names it, never a silent cut. */
export const maxRecord = 1024 * 1024;

/**
 * Splits the bytes of one ask into its records, each ended by the separator. Never holds more than the limit of a
 * record; judges at the end.
 */
export class RecordReader {
  private readonly separator: Buffer;
  private readonly limit: number;
  private readonly expected: number;
  private readonly names: (index: number) => string;
  private count = 0;
  private readonly done: string[] = [];
  private parts: Buffer[] = [];
  private size = 0;
  private carry: Buffer = Buffer.alloc(0);
  private readonly tooLong: number[] = [];

  constructor(separator: string, expected: number, names: (index: number) => string, limit = maxRecord) {
    this.separator = Buffer.from(separator, 'latin1');
    this.expected = expected;
    this.names = names;
    this.limit = limit;
  }

  push(chunk: Buffer): void {
    let buffer = this.carry.length ? Buffer.concat([this.carry, chunk]) : chunk;
    for (let at = buffer.indexOf(this.separator); at >= 0; at = buffer.indexOf(this.separator)) {
      this.add(buffer.subarray(0, at));
      this.finishRecord();
      buffer = buffer.subarray(at + this.separator.length);
    }
    const keep = Math.min(buffer.length, this.separator.length - 1);
    this.add(buffer.subarray(0, buffer.length - keep));
    this.carry = Buffer.from(buffer.subarray(buffer.length - keep));
  }

  /** All records as latin1 text; throws when their number is wrong or one was too long. `names` has one per record. */
  end(): string[] {
    const long = this.tooLong[0] ?? (this.size > this.limit ? this.count : undefined);
    if (long !== undefined) throw protocol(`the answer to ${this.names(long)} is larger than ${this.limit} bytes`);
    if (this.count !== this.expected) throw protocol(this.countText());
    return this.done;
  }

  private countText(): string {
    const at = Math.min(this.count, this.expected - 1);
    const last = Buffer.concat([...this.parts, this.carry])
      .toString('latin1')
      .slice(0, 200);
    return `${this.count} answers came to ${this.expected} questions (near ${this.names(at)})${last ? `; after the last: ${JSON.stringify(last)}` : ''}`;
  }

  private add(bytes: Buffer) {
    if (bytes.length === 0) return;
    this.size += bytes.length;
    if (this.size <= this.limit) this.parts.push(Buffer.from(bytes));
    else this.parts = [];
  }

  private finishRecord() {
    if (this.size > this.limit) this.tooLong.push(this.count);
    this.count++;
    if (this.count <= this.expected) this.done.push(Buffer.concat(this.parts).toString('latin1'));
    this.parts = [];
    this.size = 0;
  }
}

function protocol(message: string): SessionError {
  return new SessionError('protocol', 'answer', message);
}
