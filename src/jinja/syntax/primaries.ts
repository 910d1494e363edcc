import type { Arguments, Expression, Position } from './ast.ts';
import type { TokenStream } from './stream.ts';

const constants: Record<string, true | false | null> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
};
const maxNesting = 200;
/** `1+1+…`, `a|b|c…` and `a.b.c…` make trees as deep as they are long. */
const maxChain = 1000;

/** Parses what binds tightest: names, literals, brackets, and the `.x`, `[x]` and `(x)` behind them. */
export abstract class PrimaryParser {
  private nesting = 0;

  constructor(protected readonly stream: TokenStream) {}

  abstract expression(withConditional?: boolean): Expression;
  abstract tuple(withConditional?: boolean, ends?: readonly string[], allowEmpty?: boolean): Expression;

  protected nested<T>(parse: () => T): T {
    if (++this.nesting > maxNesting) throw this.stream.failure('the expression is nested too deeply');
    const result = parse();
    this.nesting--;
    return result;
  }

  /** Refuses a chain of operators that has come to this many links. */
  protected link(count: number): void {
    if (count > maxChain) throw this.stream.failure(`more than ${maxChain} operators stand in a row`);
  }

  primary(): Expression {
    const token = this.stream.current;
    const position = this.stream.position();
    if (token.kind === 'name') return this.nameOrConstant();
    if (token.kind === 'string') return this.strings();
    if (token.kind === 'number') return { kind: 'literal', value: this.stream.next().value, ...position };
    if (this.stream.skipOperator('(')) return this.parenthesized();
    if (this.stream.skipOperator('[')) return { kind: 'list', items: this.items(']'), ...position };
    if (this.stream.skipOperator('{')) return { kind: 'dict', entries: this.entries(), ...position };
    throw this.stream.failure(`expected an expression, got ${this.stream.shown()}`);
  }

  private nameOrConstant(): Expression {
    const position = this.stream.position();
    const { text } = this.stream.next();
    if (Object.hasOwn(constants, text)) return { kind: 'literal', value: constants[text]!, ...position };
    return { kind: 'name', name: text, ...position };
  }

  /** Adjacent strings are one. */
  private strings(): Expression {
    const position = this.stream.position();
    let value = '';
    while (this.stream.current.kind === 'string') value += this.stream.next().value;
    return { kind: 'literal', value, ...position };
  }

  private parenthesized(): Expression {
    const inner = this.tuple(true, [], true);
    this.stream.expectOperator(')');
    return inner;
  }

  private items(closing: string): Expression[] {
    const items: Expression[] = [];
    while (!this.stream.isOperator(closing)) {
      items.push(this.expression());
      if (!this.stream.skipOperator(',')) break;
    }
    this.stream.expectOperator(closing);
    return items;
  }

  private entries(): [Expression, Expression][] {
    const entries: [Expression, Expression][] = [];
    while (!this.stream.isOperator('}')) {
      const key = this.expression();
      this.stream.expectOperator(':');
      entries.push([key, this.expression()]);
      if (!this.stream.skipOperator(',')) break;
    }
    this.stream.expectOperator('}');
    return entries;
  }

  postfix(start: Expression): Expression {
    let node = start;
    for (let links = 0; ; links++) {
      this.link(links);
      const position = this.stream.position();
      if (this.stream.skipOperator('.')) node = this.attribute(node, position);
      else if (this.stream.skipOperator('[')) node = this.subscript(node, position);
      else if (this.stream.isOperator('(')) node = { kind: 'call', callee: node, call: this.arguments(), ...position };
      else return node;
    }
  }

  private attribute(target: Expression, position: Position): Expression {
    const token = this.stream.next();
    if (token.kind === 'name') return { kind: 'attribute', target, name: token.text, ...position };
    if (token.kind === 'number' && /^\d+$/.test(token.text)) {
      return { kind: 'item', target, key: { kind: 'literal', value: token.value, ...position }, ...position };
    }
    throw this.stream.failure('expected a name or a number after the dot', token);
  }

  private subscript(target: Expression, position: Position): Expression {
    const keys: Expression[] = [];
    do keys.push(this.subscriptKey());
    while (this.stream.skipOperator(',') && !this.stream.isOperator(']'));
    this.stream.expectOperator(']');
    const key: Expression = keys.length === 1 ? keys[0]! : { kind: 'tuple', items: keys, ...position };
    return { kind: 'item', target, key, ...position };
  }

  private subscriptKey(): Expression {
    const position = this.stream.position();
    const start = this.stream.isOperator(':') ? undefined : this.expression();
    if (start && !this.stream.isOperator(':')) return start;
    this.stream.expectOperator(':');
    const stop = this.sliceBound();
    const step = this.stream.skipOperator(':') ? this.sliceBound() : undefined;
    return { kind: 'slice', start, stop, step, ...position };
  }

  private sliceBound(): Expression | undefined {
    const ends = [':', ']', ','].some((text) => this.stream.isOperator(text));
    return ends ? undefined : this.expression();
  }

  arguments(): Arguments {
    const call = noArguments();
    this.stream.expectOperator('(');
    while (!this.stream.isOperator(')')) {
      this.argument(call);
      if (!this.stream.skipOperator(',')) break;
    }
    this.stream.expectOperator(')');
    return call;
  }

  private argument(call: Arguments) {
    const { stream } = this;
    if (stream.skipOperator('*')) call.spread = this.expression();
    else if (stream.skipOperator('**')) call.keywordSpread = this.expression();
    else if (stream.current.kind === 'name' && stream.following.kind === 'operator' && stream.following.text === '=') {
      const name = stream.next().text;
      stream.next();
      call.kwargs.push({ name, value: this.expression() });
    } else {
      if (call.kwargs.length > 0 || call.keywordSpread) {
        throw stream.failure('a positional argument cannot stand behind keyword arguments');
      }
      call.args.push(this.expression());
    }
  }
}

export function noArguments(): Arguments {
  return { args: [], kwargs: [] };
}
