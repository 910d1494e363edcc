/**
 * Keeps the head and the tail of a stream and counts the rest: 1 MiB in all by default. Memory stays bounded
 * whatever comes, and the middle is named where it is missing.
 */
export class Capture {
  private readonly half: number;
  private head: Buffer[] = [];
  private headSize = 0;
  private tail: Buffer[] = [];
  private tailSize = 0;
  private total = 0;

  constructor(limit = 1024 * 1024) {
    this.half = Math.floor(limit / 2);
  }

  push(chunk: Buffer): void {
    this.total += chunk.length;
    const room = this.half - this.headSize;
    const forHead = chunk.subarray(0, Math.max(0, room));
    if (forHead.length > 0) {
      this.head.push(Buffer.from(forHead));
      this.headSize += forHead.length;
    }
    if (forHead.length < chunk.length) this.keepTail(chunk.subarray(forHead.length));
  }

  get truncated(): boolean {
    return this.total > this.half * 2;
  }

  get size(): number {
    return this.total;
  }

  /** What was kept; where bytes were dropped a line says how many. */
  bytes(): Buffer {
    const tail = Buffer.concat(this.tail);
    const kept = tail.subarray(Math.max(0, tail.length - this.half));
    if (!this.truncated) return Buffer.concat([...this.head, kept]);
    const dropped = this.total - this.headSize - kept.length;
    return Buffer.concat([...this.head, Buffer.from(`\n[… ${dropped} bytes dropped …]\n`), kept]);
  }

  private keepTail(chunk: Buffer) {
    // A copy of at most half: a slice would keep the whole network chunk alive.
    this.tail.push(Buffer.from(chunk.subarray(Math.max(0, chunk.length - this.half))));
    this.tailSize += this.tail.at(-1)?.length ?? 0;
    while (this.tailSize - (this.tail[0]?.length ?? 0) >= this.half) this.tailSize -= this.tail.shift()?.length ?? 0;
    if (this.tail.length > 1024) this.tail = [Buffer.concat(this.tail)];
  }
}
