import { TemplateError } from '../errors.ts';
import { makeFloat, makeInt, type Value } from '../values.ts';
import { positionAt } from './position.ts';
import { unescapeString } from './unescape.ts';

export interface Token {
  kind: 'name' | 'string' | 'number' | 'operator' | 'end';
  /** The name, the operator, or what a literal looks like in the source. */
  text: string;
  /** Of strings and numbers. */
  value: Value;
  /** Offset in the source. */
  at: number;
}

export interface Tokens {
  tokens: Token[];
  /** Offset of the closing delimiter. */
  end: number;
}

const space = /\s+/y;
const float = /(?<!\.)(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[-+]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/iy;
const integer = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*/iy;
const name = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*/uy;
const string = /'[^'\\]*(?:\\[\s\S][^'\\]*)*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y;
const operator = /\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}<>=.:|,;]/y;
const partner: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/**
 * Cuts an expression into tokens, from `start` up to the closing delimiter outside all brackets, or to the end of the
 * source when there is none to find. `escapes` false leaves backslashes in strings alone, as Ansible does in `{{ }}`.
 */
export function tokenize(source: string, start: number, closing: '}}' | '%}' | undefined, escapes: boolean): Tokens {
  return new Tokenizer(source, start, closing, escapes).run();
}

class Tokenizer {
  private readonly tokens: Token[] = [];
  private readonly brackets: string[] = [];

  constructor(
    private readonly source: string,
    private position: number,
    private readonly closing: '}}' | '%}' | undefined,
    private readonly escapes: boolean,
  ) {}

  run(): Tokens {
    while (!this.atEnd()) this.next();
    const end = this.position;
    this.tokens.push({ kind: 'end', text: this.closing ?? 'end of expression', value: null, at: end });
    return { tokens: this.tokens, end: this.signed() ? end + 1 : end };
  }

  private atEnd(): boolean {
    this.match(space);
    if (this.position < this.source.length) return this.closes();
    if (this.brackets.length > 0) throw this.failure(`'${this.brackets.at(-1)}' is never closed`);
    if (this.closing) throw this.failure(`missing '${this.closing}'`);
    return true;
  }

  private closes(): boolean {
    if (!this.closing || this.brackets.length > 0) return false;
    return this.source.startsWith(this.closing, this.signed() ? this.position + 1 : this.position);
  }

  /** `-%}`, `+%}` and `-}}` end a tag too. */
  private signed(): boolean {
    const sign = this.source[this.position];
    if (!this.closing || (sign !== '-' && (sign !== '+' || this.closing === '}}'))) return false;
    return this.source.startsWith(this.closing, this.position + 1);
  }

  private next() {
    const at = this.position;
    const found = this.number() ?? this.word() ?? this.string() ?? this.operator();
    if (!found) throw this.failure(`unexpected character '${String.fromCodePoint(this.source.codePointAt(at)!)}'`);
    this.tokens.push({ ...found, at });
  }

  private number(): Omit<Token, 'at'> | undefined {
    const real = this.match(float);
    if (real) return { kind: 'number', text: real, value: makeFloat(Number(real.replaceAll('_', ''))) };
    const whole = this.match(integer);
    return whole ? { kind: 'number', text: whole, value: makeInt(BigInt(whole.replaceAll('_', ''))) } : undefined;
  }

  private word(): Omit<Token, 'at'> | undefined {
    const text = this.match(name);
    return text ? { kind: 'name', text, value: text } : undefined;
  }

  private string(): Omit<Token, 'at'> | undefined {
    const at = this.position;
    const text = this.match(string);
    if (!text) return undefined;
    const inner = text.slice(1, -1);
    if (!this.escapes && inner.includes(text[0]!)) {
      throw this.failure('a backslash does not escape a quote here: use the other kind of quotes', at);
    }
    return { kind: 'string', text, value: this.escapes ? this.unescape(inner, at) : inner };
  }

  private unescape(inner: string, at: number): string {
    const result = unescapeString(inner);
    if (result === undefined) throw this.failure('invalid escape sequence in a string', at);
    return result;
  }

  private operator(): Omit<Token, 'at'> | undefined {
    const text = this.match(operator);
    if (!text) return undefined;
    if ('([{'.includes(text)) this.brackets.push(text);
    const open = partner[text];
    if (open && this.brackets.pop() !== open) throw this.failure(`unexpected '${text}'`, this.position - 1);
    return { kind: 'operator', text, value: null };
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.source)?.[0];
    if (found) this.position += found.length;
    return found;
  }

  private failure(message: string, at = this.position) {
    return new TemplateError('syntax', message, positionAt(this.source, at));
  }
}
