import type { Assertion, Flags, Node, Pattern } from './ast.ts';
import { parseClass } from './class.ts';
import { characterEscape } from './escapes.ts';
import { Reader } from './reader.ts';
import { any, classSet, notNewline, single } from './sets.ts';

const flagNames: Record<string, keyof Flags> = {
  i: 'ignoreCase',
  m: 'multiline',
  s: 'dotAll',
  x: 'verbose',
  a: 'ascii',
};
const anchors: Record<string, Assertion> = { A: 'start', Z: 'very-end', b: 'word', B: 'not-word' };
const maxNesting = 200;
const maxRepeat = 65_535;

/** Parses a pattern of Python's `re`. Throws a TemplateError for what is none. */
export function parsePattern(source: string, flags: Flags): Pattern {
  return new PatternParser(source, flags).pattern();
}

class PatternParser {
  private readonly reader: Reader;
  private readonly names = new Map<string, number>();
  private groups = 0;
  private readonly open = new Set<number>();
  /** The highest group that a condition asks about; it may be defined later. */
  private tested = 0;
  private nesting = 0;

  constructor(
    source: string,
    private flags: Flags,
  ) {
    this.reader = new Reader(source);
  }

  pattern(): Pattern {
    this.globalFlags();
    const root = this.choice();
    if (!this.reader.atEnd) throw this.reader.failure('unbalanced parenthesis');
    if (this.tested > this.groups) throw this.reader.failure(`invalid group reference ${this.tested}`);
    return { root, groups: this.groups, names: this.names };
  }

  /** `(?im)` holds for the whole pattern and may only stand at its start. */
  private globalFlags() {
    const found = /^\(\?([aimsxuL]+)\)/.exec([0, 1, 2, 3, 4, 5, 6, 7].map((i) => this.reader.peek(i) ?? '').join(''));
    if (!found) return;
    this.flags = this.withFlags(found[1]!, '');
    this.reader.position += found[0].length;
    this.globalFlags();
  }

  private choice(): Node {
    if (++this.nesting > maxNesting) throw this.reader.failure('groups are nested too deeply');
    const options = [this.sequence()];
    while (this.reader.skip('|')) options.push(this.sequence());
    this.nesting--;
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  private sequence(): Node {
    const items: Node[] = [];
    while (!this.reader.atEnd && this.reader.peek() !== '|' && this.reader.peek() !== ')') {
      if (this.skipVerbose() || this.skipComment()) continue;
      items.push(this.repeated(this.atom()));
    }
    return items.length === 1 ? items[0]! : { kind: 'sequence', items };
  }

  private skipVerbose(): boolean {
    if (!this.flags.verbose) return false;
    const next = this.reader.peek()!;
    if (next === '#') while (!this.reader.atEnd && this.reader.next() !== '\n');
    else if (/[ \t\n\r\f\v]/.test(next)) this.reader.next();
    else return false;
    return true;
  }

  private skipComment(): boolean {
    const found = this.reader.skip('(?#');
    if (found) this.reader.until(')');
    return found;
  }

  private repeated(atom: Node): Node {
    while (this.skipVerbose() || this.skipComment());
    const bounds = this.bounds();
    if (!bounds) return atom;
    if (atom.kind === 'assertion') throw this.reader.failure('nothing to repeat');
    const mode = this.reader.skip('?') ? 'lazy' : this.reader.skip('+') ? 'possessive' : 'greedy';
    const node: Node = { kind: 'repeat', body: atom, min: bounds[0], max: bounds[1], mode };
    if (this.bounds()) throw this.reader.failure('multiple repeat');
    return node;
  }

  private bounds(): [number, number] | undefined {
    if (this.reader.skip('*')) return [0, Infinity];
    if (this.reader.skip('+')) return [1, Infinity];
    if (this.reader.skip('?')) return [0, 1];
    return this.reader.peek() === '{' ? this.braces() : undefined;
  }

  /** `{2}`, `{2,}`, `{,3}`, `{2,3}`; anything else in braces is text. */
  private braces(): [number, number] | undefined {
    const start = this.reader.position;
    this.reader.next();
    const low = this.reader.take(/\d/, 10);
    const comma = this.reader.skip(',');
    const high = comma ? this.reader.take(/\d/, 10) : low;
    if (!this.reader.skip('}') || (low === '' && !comma)) {
      this.reader.position = start;
      return undefined;
    }
    const [min, max] = [Number(low), high === '' ? Infinity : Number(high)];
    if (min > max) throw this.reader.failure('min repeat greater than max repeat');
    if (min > maxRepeat || (max !== Infinity && max > maxRepeat))
      throw this.reader.failure('the repetition number is too large');
    return [min, max];
  }

  private atom(): Node {
    const { reader, flags } = this;
    const next = reader.next();
    switch (next) {
      case '.':
        return { kind: 'set', set: flags.dotAll ? any : notNewline };
      case '^':
        return this.assertion(flags.multiline ? 'line-start' : 'start');
      case '$':
        return this.assertion(flags.multiline ? 'line-end' : 'end');
      case '[':
        return { kind: 'set', set: parseClass(reader, flags) };
      case '(':
        return this.group();
      case '\\':
        return this.escape();
      default:
        if ('*+?'.includes(next)) throw reader.failure('nothing to repeat');
        return this.character(next.codePointAt(0)!);
    }
  }

  private character(code: number): Node {
    return { kind: 'set', set: single(code, this.flags.ignoreCase) };
  }

  private assertion(what: Assertion): Node {
    return { kind: 'assertion', what, ascii: this.flags.ascii };
  }

  private escape(): Node {
    const { reader } = this;
    const letter = reader.peek() ?? '';
    const set = classSet(letter, this.flags.ascii);
    if (set || Object.hasOwn(anchors, letter)) reader.next();
    if (set) return { kind: 'set', set };
    if (Object.hasOwn(anchors, letter)) return this.assertion(anchors[letter]!);
    const code = characterEscape(reader, false);
    if (code !== undefined) return this.character(code);
    const digits = reader.take(/\d/, 2);
    if (digits === '') throw reader.failure(`bad escape \\${letter}`);
    return this.reference(Number(digits));
  }

  private reference(index: number): Node {
    if (index > this.groups) throw this.reader.failure(`invalid group reference ${index}`);
    if (this.open.has(index)) throw this.reader.failure('cannot refer to an open group');
    return { kind: 'reference', index, ignoreCase: this.flags.ignoreCase };
  }

  private group(): Node {
    const { reader } = this;
    if (!reader.skip('?')) return this.capture();
    if (reader.skip('P<')) return this.named(reader.until('>'));
    if (reader.skip('P=')) return this.reference(this.groupNamed(reader.until(')')));
    if (reader.skip(':')) return this.grouped();
    if (reader.skip('>')) return { kind: 'atomic', body: this.closed(this.choice()) };
    if (reader.skip('=')) return this.look(false, false);
    if (reader.skip('!')) return this.look(false, true);
    if (reader.skip('<=')) return this.look(true, false);
    if (reader.skip('<!')) return this.look(true, true);
    return reader.skip('(') ? this.condition() : this.scopedFlags();
  }

  private capture(): Node {
    const index = ++this.groups;
    this.open.add(index);
    const body = this.closed(this.choice());
    this.open.delete(index);
    return { kind: 'group', index, body };
  }

  private named(name: string): Node {
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) throw this.reader.failure(`bad character in group name '${name}'`);
    if (this.names.has(name)) throw this.reader.failure(`redefinition of group name '${name}'`);
    this.names.set(name, this.groups + 1);
    return this.capture();
  }

  private groupNamed(name: string): number {
    const index = /^\d+$/.test(name) ? Number(name) : this.names.get(name);
    if (index === undefined) throw this.reader.failure(`unknown group name '${name}'`);
    return index;
  }

  private look(behind: boolean, negated: boolean): Node {
    return { kind: 'look', behind, negated, body: this.closed(this.choice()) };
  }

  private condition(): Node {
    const index = this.groupNamed(this.reader.until(')'));
    this.tested = Math.max(this.tested, index);
    const yes = this.sequence();
    const no: Node = this.reader.skip('|') ? this.sequence() : { kind: 'empty' };
    if (this.reader.peek() === '|') throw this.reader.failure('conditional backref with more than two branches');
    return this.closed({ kind: 'condition', index, yes, no });
  }

  /** `(?i-s:…)` */
  private scopedFlags(): Node {
    const { reader } = this;
    const on = reader.take(/[a-zA-Z]/, 8);
    const off = reader.skip('-') ? reader.take(/[a-zA-Z]/, 8) : '';
    if (reader.peek() === ')') throw reader.failure('global flags not at the start of the expression');
    if (!reader.skip(':')) throw reader.failure('unknown extension');
    const outer = this.flags;
    this.flags = this.withFlags(on, off);
    const body = this.grouped();
    this.flags = outer;
    return body;
  }

  private withFlags(on: string, off: string): Flags {
    const flags = { ...this.flags };
    for (const letter of on) if (letter !== 'u') flags[this.flagOf(letter)] = true;
    for (const letter of off) flags[this.flagOf(letter)] = false;
    return flags;
  }

  private flagOf(letter: string): keyof Flags {
    const flag = Object.hasOwn(flagNames, letter) ? flagNames[letter] : undefined;
    if (!flag) throw this.reader.failure(`unknown flag '${letter}'`);
    return flag;
  }

  /** A group that captures nothing; being one, it may be repeated even when it holds only an anchor. */
  private grouped(): Node {
    return { kind: 'sequence', items: [this.closed(this.choice())] };
  }

  private closed(body: Node): Node {
    this.reader.expect(')');
    return body;
  }
}
