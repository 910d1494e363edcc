import { TemplateError } from '../errors.ts';
import { positionAt } from './position.ts';
import { type Token, tokenize } from './tokens.ts';

/** A template cut at its delimiters. */
export type Segment =
  | { kind: 'text'; text: string; at: number }
  | { kind: 'block'; tokens: Token[]; at: number }
  | { kind: 'output'; tokens: Token[]; at: number };

export interface CutOptions {
  trimBlocks: boolean;
  lstripBlocks: boolean;
  /** Whether backslashes in the strings of `{{ }}` escape (see `tokenize`). */
  outputEscapes: boolean;
}

const rawBegin = /\{%[-+]?\s*raw\s*(?:-%\}\s*|%\})/y;
const rawEnd = /\{%([-+]?)\s*endraw\s*(?:\+%\}|-%\}\s*|%\})/g;
const opening = /\{[{%#]/g;

/** Cuts a template into text, outputs and blocks, with whitespace control applied. */
export function cutTemplate(source: string, options: CutOptions): Segment[] {
  return new Cutter(source, options).cut();
}

class Cutter {
  private readonly segments: Segment[] = [];
  private position = 0;
  /** A newline that trim_blocks ate still begins a line for lstrip_blocks. */
  private lineStarting = true;

  constructor(
    private readonly source: string,
    private readonly options: CutOptions,
  ) {}

  cut(): Segment[] {
    for (;;) {
      opening.lastIndex = this.position;
      const at = opening.exec(this.source)?.index;
      this.addText(this.position, at);
      if (at === undefined) return this.segments;
      this.consume(at);
    }
  }

  /** The text up to a delimiter, stripped as its sign asks. */
  private addText(from: number, at: number | undefined) {
    const text = this.source.slice(from, at);
    const kept = at === undefined ? text : this.strip(text, at);
    if (kept) this.segments.push({ kind: 'text', text: kept, at: from });
  }

  private strip(text: string, at: number): string {
    const sign = this.source[at + 2];
    if (sign === '-') return text.trimEnd();
    if (sign === '+' || !this.options.lstripBlocks || this.source[at + 1] === '{') return text;
    const lineStart = text.lastIndexOf('\n') + 1;
    const blank = (lineStart > 0 || this.lineStarting) && /^\s*$/.test(text.slice(lineStart));
    return blank ? text.slice(0, lineStart) : text;
  }

  private consume(at: number) {
    rawBegin.lastIndex = at;
    const raw = rawBegin.exec(this.source);
    if (raw) return this.consumeRaw(at, at + raw[0].length);
    if (this.source[at + 1] === '#') return this.consumeComment(at);
    const output = this.source[at + 1] === '{';
    const start = /[-+]/.test(this.source[at + 2] ?? '') ? at + 3 : at + 2;
    const { tokens, end } = tokenize(this.source, start, output ? '}}' : '%}', !output || this.options.outputEscapes);
    this.segments.push({ kind: output ? 'output' : 'block', tokens, at });
    this.close(end, !output);
  }

  private consumeComment(at: number) {
    const end = this.source.indexOf('#}', at + 2);
    if (end < 0) throw this.failure(at, 'missing end of comment tag');
    this.close(end, true);
  }

  private consumeRaw(at: number, start: number) {
    rawEnd.lastIndex = start;
    const end = rawEnd.exec(this.source);
    if (!end) throw this.failure(at, "missing end of raw directive ('endraw')");
    const text = this.strip(this.source.slice(start, end.index), end.index);
    if (text) this.segments.push({ kind: 'text', text, at: start });
    this.close(end.index + end[0].trimEnd().length - 2, true);
  }

  /** Moves behind the closing delimiter at `end`, eating what its sign or trim_blocks says. */
  private close(end: number, isBlock: boolean) {
    const sign = this.source[end - 1];
    let next = end + 2;
    if (sign === '-') next += /^\s*/.exec(this.source.slice(next))![0].length;
    else if (isBlock && sign !== '+' && this.options.trimBlocks && this.source[next] === '\n') next++;
    this.lineStarting = this.source[next - 1] === '\n';
    this.position = next;
  }

  private failure(at: number, message: string) {
    return new TemplateError('syntax', message, positionAt(this.source, at));
  }
}
