/** What a frame line or the bytes between frame lines mean to whoever reads one stream of a shell. */
export interface FrameSink {
  /**
   * A frame line: the words after the marker. A number returned is a count of bytes that follow and are data
   * whatever they look like (the first ask of a shell, whose marker is visible in argv).
   */
  frame(words: string[], marker: string): number | undefined;
  data(chunk: Buffer): void;
}

/** Not of Node's pool: what is kept for as long as a host is connected would keep 8 KB of it. */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(text.length);
  bytes.write(text, 'latin1');
  return bytes;
}

/** No frame line of ours is longer; a longer one is data. */
const maxLine = 8192;

/**
 * Cuts one output stream at frame lines, `\n<marker> words…\n`, found at any offset: output before one may lack its
 * newline, and a late writer may have put text anywhere. Holds back at most what could be the start of a line.
 */
export class FrameParser {
  private rest: Buffer = Buffer.alloc(0);
  private needles: { marker: string; bytes: Buffer }[] = [];
  private raw = 0;
  private readonly sink: FrameSink;

  constructor(markers: string[], sink: FrameSink) {
    this.sink = sink;
    this.setMarkers(markers);
  }

  setMarkers(markers: string[]): void {
    this.needles = markers.map((marker) => ({ marker, bytes: ownBytes(`\n${marker} `) }));
  }

  push(chunk: Buffer): void {
    let buffer = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    this.rest = Buffer.alloc(0);
    for (;;) {
      if (this.raw > 0) buffer = this.takeRaw(buffer);
      if (buffer.length === 0) return;
      const next = this.step(buffer);
      if (next === undefined) return;
      buffer = next;
    }
  }

  /** The stream ended: what was held back is data. */
  end(): void {
    const rest = this.rest;
    this.rest = Buffer.alloc(0);
    if (rest.length > 0) this.sink.data(rest);
  }

  private takeRaw(buffer: Buffer): Buffer {
    const taken = buffer.subarray(0, this.raw);
    this.raw -= taken.length;
    if (taken.length > 0) this.sink.data(taken);
    return buffer.subarray(taken.length);
  }

  /** Handles everything up to and with the next frame line; undefined: more bytes are needed. */
  private step(buffer: Buffer): Buffer | undefined {
    const found = this.find(buffer);
    if (!found) return this.hold(buffer, buffer.length - this.possibleStart(buffer));
    const start = found.at + found.bytes.length;
    const stop = buffer.indexOf(0x0a, start);
    if (stop < 0 && buffer.length - start < maxLine) return this.hold(buffer, found.at);
    if (stop < 0 || stop - start > maxLine) return this.emit(buffer, start);
    this.emit(buffer, found.at);
    const words = buffer.toString('utf8', start, stop).split(' ');
    this.raw = this.sink.frame(words, found.marker) ?? 0;
    return buffer.subarray(stop + 1);
  }

  private find(buffer: Buffer) {
    let best: { at: number; bytes: Buffer; marker: string } | undefined;
    for (const { bytes, marker } of this.needles) {
      const at = buffer.indexOf(bytes);
      if (at >= 0 && (!best || at < best.at)) best = { at, bytes, marker };
    }
    return best;
  }

  private hold(buffer: Buffer, at: number): undefined {
    this.emit(buffer, at);
    // A copy: a slice would keep the whole chunk alive.
    this.rest = Buffer.from(buffer.subarray(at));
  }

  private emit(buffer: Buffer, end: number): Buffer {
    if (end > 0) this.sink.data(buffer.subarray(0, end));
    return buffer.subarray(end);
  }

  /** Length of the longest tail that could be the start of a frame line. */
  private possibleStart(buffer: Buffer): number {
    const longest = Math.max(0, ...this.needles.map(({ bytes }) => bytes.length - 1));
    for (let length = Math.min(longest, buffer.length); length > 0; length--) {
      const tail = buffer.subarray(buffer.length - length);
      if (this.needles.some(({ bytes }) => length < bytes.length && tail.equals(bytes.subarray(0, length))))
        return length;
    }
    return 0;
  }
}
