import type { Statement } from './ast.ts';
import { ExpressionParser } from './expressions.ts';
import type { Positions } from './position.ts';
import type { Segment } from './segments.ts';
import { TokenStream } from './stream.ts';
import { parseTag } from './tags.ts';

/** Builds the tree of a template from its segments. */
export function parseStatements(segments: Segment[], positions: Positions): Statement[] {
  return new StatementParser(segments, positions).all();
}

/** The tags that end a body, and the stream of the one that did (behind its name). */
export interface Ended {
  body: Statement[];
  by: string;
  stream: TokenStream;
}

const maxNesting = 100;

export class StatementParser {
  private index = 0;
  private nesting = 0;

  constructor(
    private readonly segments: Segment[],
    private readonly positions: Positions,
  ) {}

  all(): Statement[] {
    const body: Statement[] = [];
    for (let segment = this.take(); segment; segment = this.take()) body.push(this.statement(segment));
    return body;
  }

  /** Statements up to a tag named in `ends`; `opener` is the tag that wants one of them. */
  until(ends: readonly string[], opener: TokenStream): Ended {
    if (++this.nesting > maxNesting) throw opener.failure('blocks are nested too deeply');
    const body: Statement[] = [];
    for (let segment = this.take(); segment; segment = this.take()) {
      const by = segment.kind === 'block' ? (segment.tokens[0]?.text ?? '') : undefined;
      if (segment.kind === 'block' && by !== undefined && ends.includes(by)) {
        this.nesting--;
        return { body, by, stream: this.behindName(segment) };
      }
      body.push(this.statement(segment));
    }
    throw opener.failure(`the template ends before '${ends.at(-1)}'`, opener.first);
  }

  private behindName(segment: Segment & { kind: 'block' }): TokenStream {
    const stream = new TokenStream(segment.tokens, this.positions);
    stream.next();
    return stream;
  }

  private take(): Segment | undefined {
    return this.segments[this.index++];
  }

  private statement(segment: Segment): Statement {
    const position = this.positions.of(segment.at);
    if (segment.kind === 'text') return { kind: 'text', text: segment.text, ...position };
    const stream = new TokenStream(segment.tokens, this.positions);
    if (segment.kind === 'block') return { ...parseTag(stream, this), ...position };
    const expression = new ExpressionParser(stream).tuple();
    stream.expectEnd();
    return { kind: 'output', expression, ...position };
  }
}
