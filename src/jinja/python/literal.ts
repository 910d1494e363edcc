import { unescapeString } from '../syntax/unescape.ts';
import { Float, makeFloat, makeInt, Tuple, type Value } from '../values.ts';
import { Dict, primitiveKey } from './dict.ts';

/** `jsonNames`: true, false and null are read too, as Ansible does. */
export interface LiteralOptions {
  jsonNames?: boolean;
}

/** Reads a Python literal, as ast.literal_eval; undefined when the text is none. */
export function parseLiteral(text: string, options: LiteralOptions = {}): Value | undefined {
  try {
    return new LiteralReader(text.replace(/^[ \t]+/, ''), options.jsonNames ?? false).whole();
  } catch (error) {
    if (error instanceof NoLiteral) return undefined;
    throw error;
  }
}

class NoLiteral extends Error {}

const blank = /(?:[ \t\f\r\n]|\\\n|#[^\n]*(?:\n|$))*/y;
const number =
  /(?:0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:\d(?:_?\d)*)?\.\d(?:_?\d)*(?:[eE][-+]?\d+)?|\d(?:_?\d)*\.?(?:[eE][-+]?\d+)?)(?![\w.])/y;
const quoted =
  /([rRuU]?)(?:'''([\s\S]*?(?<!\\)(?:\\\\)*)'''|"""([\s\S]*?(?<!\\)(?:\\\\)*)"""|'((?:[^'\\\n]|\\[\s\S])*)'|"((?:[^"\\\n]|\\[\s\S])*)")/y;
const word = /[A-Za-z_]\w*/y;
const maxDepth = 100;

class LiteralReader {
  private position = 0;
  private depth = 0;

  constructor(
    private readonly text: string,
    private readonly jsonNames: boolean,
  ) {}

  whole(): Value {
    const value = this.value();
    if (this.peek() === ',') return this.bareTuple(value);
    if (this.position < this.text.length) throw new NoLiteral();
    return value;
  }

  private bareTuple(first: Value): Value {
    const items = [first];
    while (this.skip(',')) if (this.position < this.text.length) items.push(this.value());
    if (this.position < this.text.length) throw new NoLiteral();
    return new Tuple(items);
  }

  private value(): Value {
    if (++this.depth > maxDepth) throw new NoLiteral();
    const value = this.dispatch();
    this.depth--;
    return value;
  }

  private dispatch(): Value {
    const next = this.peek();
    if (next === '[') return this.list();
    if (next === '{') return this.dict();
    if (next === '(') return this.tuple();
    if (next === '-' || next === '+') return this.signed();
    return this.string() ?? this.number() ?? this.constant();
  }

  private list(): Value {
    this.skip('[');
    return this.until(']');
  }

  private until(closing: string): Value[] {
    const items: Value[] = [];
    while (!this.skip(closing)) {
      items.push(this.value());
      if (!this.skip(',') && this.peek() !== closing) throw new NoLiteral();
    }
    return items;
  }

  private dict(): Value {
    const dict = new Dict();
    this.skip('{');
    while (!this.skip('}')) {
      const key = this.value();
      if (!this.skip(':')) throw new NoLiteral();
      dict.set(this.hashable(key), this.value());
      if (!this.skip(',') && this.peek() !== '}') throw new NoLiteral();
    }
    return dict;
  }

  private hashable(key: Value): Value {
    if (Array.isArray(key) || key instanceof Map) throw new NoLiteral();
    primitiveKey(key);
    return key;
  }

  private tuple(): Value {
    this.skip('(');
    if (this.skip(')')) return new Tuple([]);
    const first = this.value();
    if (this.skip(')')) return first;
    if (!this.skip(',')) throw new NoLiteral();
    return new Tuple([first, ...this.until(')')]);
  }

  private signed(): Value {
    const negative = this.text[this.position++] === '-';
    const next = this.peek();
    const value = next === '-' || next === '+' ? this.signed() : this.number();
    if (value === undefined) throw new NoLiteral();
    return negative ? negated(value) : value;
  }

  private number(): Value | undefined {
    const text = this.match(number)?.[0];
    if (!text) return undefined;
    const digits = text.replaceAll('_', '');
    if (/^0[xob]/i.test(digits)) return makeInt(BigInt(digits));
    if (/[.e]/i.test(digits)) return makeFloat(Number(digits));
    if (/^0+[1-9]/.test(digits)) throw new NoLiteral();
    return makeInt(BigInt(digits));
  }

  /** Adjacent strings are one. */
  private string(): Value | undefined {
    let result: string | undefined;
    for (let found = this.match(quoted); found; found = this.match(quoted)) {
      const inner = found[2] ?? found[3] ?? found[4] ?? found[5] ?? '';
      const part = /r/i.test(found[1] ?? '') ? inner : unescapeString(inner);
      if (part === undefined) throw new NoLiteral();
      result = (result ?? '') + part;
      this.peek();
    }
    return result;
  }

  private constant(): Value {
    const name = this.match(word)?.[0] ?? '';
    if (name === 'True' || (this.jsonNames && name === 'true')) return true;
    if (name === 'False' || (this.jsonNames && name === 'false')) return false;
    if (name === 'None' || (this.jsonNames && name === 'null')) return null;
    throw new NoLiteral();
  }

  private peek(): string | undefined {
    this.match(blank);
    return this.text[this.position];
  }

  private skip(character: string): boolean {
    const found = this.peek() === character;
    if (found) this.position++;
    this.peek();
    return found;
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text) ?? undefined;
    if (found) this.position += found[0].length;
    return found;
  }
}

function negated(value: Value): Value {
  if (value instanceof Float || (typeof value === 'number' && !Number.isInteger(value))) {
    return makeFloat(-(value instanceof Float ? value.value : value));
  }
  if (typeof value === 'number' || typeof value === 'bigint') return makeInt(-BigInt(value));
  throw new NoLiteral();
}
