import { typeError } from '../errors.ts';
import { Dict } from '../python/dict.ts';
import { makeFloat, makeInt, type Value } from '../values.ts';

/** json.loads(): ints and floats stay apart, NaN and Infinity are read. Throws a TemplateError of kind `type`. */
export function readJson(source: string): Value {
  return new JsonReader(source).whole();
}

const blanks = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y;
const string = /"((?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*)"/y;
const word = /true|false|null|NaN|-?Infinity/y;
const words: Record<string, Value> = {
  true: true,
  false: false,
  null: null,
  NaN: Number.NaN,
  Infinity: Infinity,
  '-Infinity': -Infinity,
};
const maxDepth = 900;

class JsonReader {
  private position = 0;
  private depth = 0;

  constructor(private readonly source: string) {}

  whole(): Value {
    const value = this.value();
    if (this.position < this.source.length) throw this.failure('Extra data');
    return value;
  }

  private value(): Value {
    if (++this.depth > maxDepth) throw this.failure('too many nested lists and objects');
    this.match(blanks);
    const value = this.dispatch();
    this.match(blanks);
    this.depth--;
    return value;
  }

  private dispatch(): Value {
    if (this.skip('{')) return this.object();
    if (this.skip('[')) return this.array();
    const quoted = this.match(string);
    if (quoted) return JSON.parse(quoted[0]) as string;
    const name = this.match(word);
    if (name) return words[name[0]]!;
    const digits = this.match(number);
    if (!digits) throw this.failure('Expecting value');
    return digits[1] || digits[2] ? makeFloat(Number(digits[0])) : makeInt(BigInt(digits[0]));
  }

  private array(): Value {
    const items: Value[] = [];
    this.match(blanks);
    if (this.skip(']')) return items;
    do items.push(this.value());
    while (this.skip(','));
    if (!this.skip(']')) throw this.failure("Expecting ',' delimiter");
    return items;
  }

  private object(): Value {
    const dict = new Dict();
    this.match(blanks);
    if (this.skip('}')) return dict;
    do this.entry(dict);
    while (this.skip(','));
    if (!this.skip('}')) throw this.failure("Expecting ',' delimiter");
    return dict;
  }

  private entry(dict: Dict) {
    this.match(blanks);
    const key = this.match(string);
    if (!key) throw this.failure('Expecting property name enclosed in double quotes');
    this.match(blanks);
    if (!this.skip(':')) throw this.failure("Expecting ':' delimiter");
    dict.set(JSON.parse(key[0]) as string, this.value());
  }

  private skip(character: string): boolean {
    const found = this.source[this.position] === character;
    if (found) this.position++;
    return found;
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.source) ?? undefined;
    if (found) this.position += found[0].length;
    return found;
  }

  private failure(message: string) {
    const line = this.source.slice(0, this.position).split('\n').length;
    return typeError(`not valid JSON: ${message}: line ${line} (char ${this.position})`);
  }
}
