import { regexSteps } from '../budget.ts';
import { BoundedCache } from '../cache.ts';
import type { Flags } from './ast.ts';
import { compilePattern, type Program } from './compiler.ts';
import { type Allowance, Matcher } from './matcher.ts';
import { parsePattern } from './parser.ts';
import { Subject } from './subject.ts';

/** One match. Positions count code points; groups that took no part are undefined. */
export interface Match {
  start: number;
  end: number;
  text: string;
  groups: (string | undefined)[];
  names: ReadonlyMap<string, number>;
}

const noFlags: Flags = { ignoreCase: false, multiline: false, dotAll: false, verbose: false, ascii: false };
const compiled = new BoundedCache<PythonRegex>(1000);

/** A pattern of Python's `re`, parsed once. Throws a TemplateError of kind `type` when it is none. */
export function pythonRegex(source: string, flags: Partial<Flags> = {}): PythonRegex {
  const all = { ...noFlags, ...flags };
  return compiled.get(`${Object.values(all).join()} ${source}`, () => new PythonRegex(source, all));
}

export class PythonRegex {
  private readonly program: Program;
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;

  constructor(
    readonly source: string,
    flags: Flags,
  ) {
    const pattern = parsePattern(source, flags);
    this.program = compilePattern(pattern);
    this.groups = pattern.groups;
    this.names = pattern.names;
  }

  /** The first match anywhere. */
  search(text: string): Match | undefined {
    return this.scan(new Subject(text), 0, false, allowance());
  }

  /** A match at the very start. */
  match(text: string): Match | undefined {
    return this.anchored(text, false);
  }

  /** A match of the whole text. */
  fullMatch(text: string): Match | undefined {
    return this.anchored(text, true);
  }

  private anchored(text: string, mustReachEnd: boolean): Match | undefined {
    const subject = new Subject(text);
    const matcher = new Matcher(this.program, subject, allowance());
    const end = matcher.match(0, false, mustReachEnd);
    return end < 0 ? undefined : this.result(subject, matcher, 0, end);
  }

  /** All matches, left to right. Empty ones may follow others, as since Python 3.7. */
  *all(text: string): Generator<Match> {
    const subject = new Subject(text);
    const left = allowance();
    let position = 0;
    let mustAdvance = false;
    while (position <= subject.length) {
      const found = this.scan(subject, position, mustAdvance, left);
      if (!found) return;
      yield found;
      position = found.end;
      mustAdvance = found.end === found.start;
    }
  }

  private scan(subject: Subject, from: number, mustAdvance: boolean, left: Allowance): Match | undefined {
    const matcher = new Matcher(this.program, subject, left);
    for (let start = from; start <= subject.length; start++) {
      const end = matcher.match(start, mustAdvance && start === from);
      if (end >= 0) return this.result(subject, matcher, start, end);
      if (this.isAnchored()) return undefined;
    }
    return undefined;
  }

  /** A pattern that begins with `\A`, or `^` without multiline, is tried once. */
  private isAnchored(): boolean {
    const [first] = this.program.code;
    return first?.op === 'assert' && first.what === 'start';
  }

  private result(subject: Subject, { slots }: Matcher, start: number, end: number): Match {
    const groups = Array.from({ length: this.groups }, (_, i) => {
      const [from, to] = [slots[2 * i + 2]!, slots[2 * i + 3]!];
      return to < 0 ? undefined : subject.slice(from, to);
    });
    return { start, end, text: subject.slice(start, end), groups, names: this.names };
  }

  /** Replaces up to `count` matches (0: all). `replacement` is Python's template or a function. */
  replace(text: string, replacement: (match: Match) => string, count = 0): string {
    const subject = new Subject(text);
    let result = '';
    let position = 0;
    let done = 0;
    for (const match of this.all(text)) {
      result += subject.slice(position, match.start) + replacement(match);
      position = match.end;
      if (++done === count) break;
    }
    return result + subject.slice(position, subject.length);
  }
}

function allowance(): Allowance {
  return { steps: regexSteps() };
}
