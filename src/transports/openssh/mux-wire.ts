/**
 * What goes over the control socket of `ssh -M` in proxy mode: messages of the SSH connection protocol (RFC 4254) in
 * the clear, each behind its length and an empty padding. OpenSSH 7.4 and later; see its PROTOCOL.mux.
 */
export const Mux = { hello: 1, proxy: 0x1000000f, proxyReply: 0x8000000f, version: 4 } as const;

export const Message = {
  channelOpen: 90,
  openConfirmation: 91,
  openFailure: 92,
  windowAdjust: 93,
  data: 94,
  extendedData: 95,
  eof: 96,
  close: 97,
  request: 98,
  success: 99,
  failure: 100,
} as const;

/** Fields of a message: a number is a uint32, a boolean a byte, text and bytes are strings with their length. */
export type Field = number | boolean | string | Buffer;

/** One message of the connection protocol, ready for the socket. */
export function packet(type: number, ...fields: Field[]): Buffer {
  return framed(Buffer.concat([Buffer.from([0, type]), ...fields.map(encoded)]));
}

/** One message of the control protocol itself. */
export function control(...fields: number[]): Buffer {
  return framed(Buffer.concat(fields.map(encoded)));
}

function framed(body: Buffer): Buffer {
  return Buffer.concat([encoded(body.length), body]);
}

function encoded(field: Field): Buffer {
  if (typeof field === 'boolean') return Buffer.from([field ? 1 : 0]);
  if (typeof field === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(field);
    return bytes;
  }
  const bytes = typeof field === 'string' ? Buffer.from(field, 'utf8') : field;
  return Buffer.concat([encoded(bytes.length), bytes]);
}

/** Reads fields in turn. Throws a RangeError where the message is too short. */
export class Reader {
  private at = 0;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  byte(): number {
    return this.bytes.readUInt8(this.at++);
  }

  uint32(): number {
    const value = this.bytes.readUInt32BE(this.at);
    this.at += 4;
    return value;
  }

  string(): Buffer {
    const length = this.uint32();
    if (this.at + length > this.bytes.length) throw new RangeError('a string longer than its message');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

/** Cuts what comes in into messages; a rest is kept until it is whole. */
export class Splitter {
  private rest: Buffer[] = [];
  private size = 0;
  private readonly take: (message: Buffer) => void;

  constructor(take: (message: Buffer) => void) {
    this.take = take;
  }

  push(chunk: Buffer): void {
    this.rest.push(chunk);
    this.size += chunk.length;
    for (let needed = this.needed(); needed !== undefined && this.size >= needed; needed = this.needed()) {
      const all = this.joined();
      this.rest = all.length > needed ? [all.subarray(needed)] : [];
      this.size = all.length - needed;
      this.take(all.subarray(4, needed));
    }
  }

  private needed(): number | undefined {
    return this.size < 4 ? undefined : 4 + this.joined(4).readUInt32BE(0);
  }

  /** The first buffer, made to hold at least `least` bytes; all of them where none is named. */
  private joined(least = this.size): Buffer {
    const [first] = this.rest;
    if (first && first.length >= least) return first;
    const all = Buffer.concat(this.rest);
    this.rest = [all];
    return all;
  }
}
