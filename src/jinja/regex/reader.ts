import { typeError } from '../errors.ts';

/** The characters of a pattern, read from left to right. */
export class Reader {
  private readonly points: string[];
  position = 0;

  constructor(private readonly source: string) {
    this.points = Array.from(source);
  }

  get atEnd(): boolean {
    return this.position >= this.points.length;
  }

  peek(ahead = 0): string | undefined {
    return this.points[this.position + ahead];
  }

  next(): string {
    const point = this.points[this.position++];
    if (point === undefined) throw this.failure('unexpected end of pattern');
    return point;
  }

  skip(text: string): boolean {
    const found = this.points.slice(this.position, this.position + text.length).join('') === text;
    if (found) this.position += text.length;
    return found;
  }

  expect(text: string): void {
    if (!this.skip(text)) throw this.failure(`missing ${text}`);
  }

  /** The text up to a terminator, which is skipped. */
  until(terminator: string): string {
    const end = this.points.indexOf(terminator, this.position);
    if (end < 0) throw this.failure(`missing ${terminator}, unterminated name`);
    const text = this.points.slice(this.position, end).join('');
    this.position = end + 1;
    return text;
  }

  /** Up to `limit` characters that match. */
  take(pattern: RegExp, limit: number): string {
    let text = '';
    while (text.length < limit && pattern.test(this.peek() ?? '')) text += this.next();
    return text;
  }

  failure(message: string) {
    return typeError(`invalid regular expression '${this.source}': ${message} at position ${this.position}`);
  }
}
