import { SessionError } from '../../core/session.ts';
import { ms, wait } from '../../core/waits.ts';
import type { Channel, ChannelEnd, ChannelHandlers } from '../../remote/transport.ts';
import { type Field, Message, packet, type Reader } from './mux-wire.ts';

/** Bytes the host may send before we allow more. */
const ownWindow = 2 * 1024 * 1024;
const ownPacket = 32 * 1024;

/** After the command's exit the channel may stay open for as long as a child of it holds its output. */
const exitGrace = () => ms(wait('exit').deadline);

/** Takes a message over; resolves when the socket can take more. */
export type Send = (message: Buffer) => Promise<void>;

/** One session channel: RFC 4254 from the client's side. */
export class MuxChannel implements Channel {
  readonly closed: Promise<ChannelEnd>;
  private readonly id: number;
  private readonly send: Send;
  private readonly handlers: ChannelHandlers;
  private theirs = 0;
  private window = 0;
  private packetSize = 0;
  private unread = 0;
  private ended: ChannelEnd | undefined;
  private over = false;
  private sentEof = false;
  private sentClose = false;
  private grace: NodeJS.Timeout | undefined;
  private answer: { resolve: () => void; reject: (error: Error) => void } | undefined;
  private readonly waiting: (() => void)[] = [];
  private resolveClosed: (end: ChannelEnd) => void = () => {};

  constructor(id: number, send: Send, handlers: ChannelHandlers) {
    this.id = id;
    this.send = send;
    this.handlers = handlers;
    this.closed = new Promise((resolve) => {
      this.resolveClosed = resolve;
    });
  }

  /** Opens the channel and starts the command. Rejects when the host refuses either. */
  async start(command: string): Promise<void> {
    await this.asked(packet(Message.channelOpen, 'session', this.id, ownWindow, ownPacket));
    await this.asked(packet(Message.request, this.theirs, 'exec', true, command));
  }

  async write(data: string | Buffer): Promise<void> {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
    for (let at = 0; at < bytes.length; ) {
      while (this.window === 0 && !this.over && !this.sentEof) await this.room();
      if (this.over || this.sentEof) throw closedError();
      const piece = bytes.subarray(at, at + Math.min(this.window, this.packetSize));
      this.window -= piece.length;
      at += piece.length;
      await this.send(packet(Message.data, this.theirs, piece));
    }
    if (this.over) throw closedError();
  }

  end(): void {
    if (this.sentEof || this.sentClose || this.over) return;
    this.sentEof = true;
    this.tell(Message.eof);
    this.more();
  }

  close(): void {
    if (this.over) return;
    this.sayClose();
    this.finish({ lost: true });
  }

  /** The connection is gone. */
  lose(error: Error): void {
    this.answer?.reject(error);
    this.finish(this.ended ?? { lost: true });
  }

  /** A message for this channel; `reader` stands behind the channel's number. */
  take(type: number, reader: Reader): void {
    if (type === Message.openConfirmation) this.confirmed(reader);
    else if (type === Message.openFailure) this.refused(reader);
    else if (type === Message.success) this.answered();
    else if (type === Message.failure) this.answered(refusedError('the host runs no command here'));
    else if (type === Message.windowAdjust) this.widen(reader.uint32());
    else if (type === Message.data) this.received(reader.string(), this.handlers.onStdout);
    else if (type === Message.extendedData) this.extended(reader);
    else if (type === Message.request) this.requested(reader);
    else if (type === Message.close) this.theyClosed();
  }

  private confirmed(reader: Reader) {
    this.theirs = reader.uint32();
    this.window = reader.uint32();
    this.packetSize = Math.min(reader.uint32(), ownPacket);
    this.answered();
  }

  private refused(reader: Reader) {
    const reason = reader.uint32();
    const why = reader.string().toString('utf8');
    this.finish({ lost: true });
    // Reasons 2 (connect failed) and 4 (resource shortage) are what a host says when MaxSessions is reached.
    this.answered(refusedError(reason === 1 ? `it is prohibited: ${why}` : 'MaxSessions is reached'));
  }

  private extended(reader: Reader) {
    const kind = reader.uint32();
    this.received(reader.string(), kind === 1 ? this.handlers.onStderr : () => {});
  }

  private received(bytes: Buffer, handle: (chunk: Buffer) => void) {
    this.unread += bytes.length;
    if (!this.over) handle(bytes);
    if (this.unread < ownWindow / 2 || this.sentClose) return;
    this.tell(Message.windowAdjust, this.unread);
    this.unread = 0;
  }

  private requested(reader: Reader) {
    const name = reader.string().toString('latin1');
    const wantsReply = reader.byte() !== 0;
    if (name === 'exit-status') this.exited({ code: reader.uint32(), lost: false });
    else if (name === 'exit-signal') this.exited({ signal: `SIG${reader.string().toString('latin1')}`, lost: false });
    else if (wantsReply) this.tell(Message.failure);
  }

  private exited(end: ChannelEnd) {
    this.ended = end;
    this.grace = setTimeout(() => this.sayClose(), exitGrace());
  }

  private theyClosed() {
    this.sayClose();
    this.finish(this.ended ?? { lost: true });
  }

  private sayClose() {
    if (!this.sentClose) this.tell(Message.close);
    this.sentClose = true;
  }

  private finish(end: ChannelEnd) {
    clearTimeout(this.grace);
    this.over = true;
    this.more();
    this.resolveClosed(end);
  }

  private widen(bytes: number) {
    this.window += bytes;
    this.more();
  }

  /** Whoever waits for room looks again. */
  private more() {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private room(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  private asked(message: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.answer = { resolve, reject };
      this.send(message).catch(reject);
    });
  }

  private answered(error?: Error) {
    if (error) this.answer?.reject(error);
    else this.answer?.resolve();
    this.answer = undefined;
  }

  /** That it could not be sent is seen by the connection's end. */
  private tell(type: number, ...fields: Field[]) {
    this.send(packet(type, this.theirs, ...fields)).catch(() => {});
  }
}

function closedError(): SessionError {
  return new SessionError('lost', 'channel', 'the channel closed while data was sent', { transient: true });
}

function refusedError(why: string): SessionError {
  return new SessionError('unreachable', 'channel', `the host gives no further channel on this connection: ${why}`, {
    transient: true,
  });
}
