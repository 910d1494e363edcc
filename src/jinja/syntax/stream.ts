import { TemplateError } from '../errors.ts';
import type { Position } from './ast.ts';
import type { Positions } from './position.ts';
import type { Token } from './tokens.ts';

/** The tokens of one tag, read from left to right. */
export class TokenStream {
  private index = 0;

  constructor(
    private readonly tokens: Token[],
    private readonly positions: Positions,
  ) {}

  get current(): Token {
    return this.tokens[this.index]!;
  }

  get first(): Token {
    return this.tokens[0]!;
  }

  get following(): Token {
    return this.tokens[this.index + 1] ?? this.current;
  }

  next(): Token {
    const token = this.current;
    if (token.kind !== 'end') this.index++;
    return token;
  }

  isOperator(text: string): boolean {
    return this.current.kind === 'operator' && this.current.text === text;
  }

  isName(text: string): boolean {
    return this.current.kind === 'name' && this.current.text === text;
  }

  skipOperator(text: string): boolean {
    const found = this.isOperator(text);
    if (found) this.index++;
    return found;
  }

  skipName(text: string): boolean {
    const found = this.isName(text);
    if (found) this.index++;
    return found;
  }

  expectOperator(text: string): Token {
    if (!this.isOperator(text)) throw this.failure(`expected '${text}', got ${this.shown()}`);
    return this.next();
  }

  expectName(what = 'a name'): Token {
    if (this.current.kind !== 'name') throw this.failure(`expected ${what}, got ${this.shown()}`);
    return this.next();
  }

  expectEnd(): void {
    if (this.current.kind !== 'end') throw this.failure(`unexpected ${this.shown()}`);
  }

  shown(): string {
    return this.current.kind === 'end' && this.current.text === 'end of expression'
      ? 'the end of the expression'
      : `'${this.current.text}'`;
  }

  position(token = this.current): Position {
    return this.positions.of(token.at);
  }

  failure(message: string, token = this.current): TemplateError {
    return new TemplateError('syntax', message, this.position(token));
  }
}
