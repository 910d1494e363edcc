import type { Arguments, BinaryOperator, CompareOperator, Expression, FilterCall, Position } from './ast.ts';
import { noArguments, PrimaryParser } from './primaries.ts';

const comparisons = new Set(['==', '!=', '<', '<=', '>', '>=']);
/** Words that end a test's argument without parentheses: `x is defined and y`. */
const notArguments = new Set(['else', 'or', 'and', 'if', 'in', 'not']);

/** Parses expressions by Jinja's precedence: each method is one level, loosest first. */
export class ExpressionParser extends PrimaryParser {
  /** `a if b else c` and everything tighter. */
  expression(withConditional = true): Expression {
    return this.nested(() => (withConditional ? this.conditional() : this.or()));
  }

  /** One expression, or a tuple when there are commas. `ends` are names that end it. */
  tuple(withConditional = true, ends: readonly string[] = [], allowEmpty = false): Expression {
    const position = this.stream.position();
    const items: Expression[] = [];
    let commas = false;
    while (!this.tupleEnds(ends)) {
      items.push(this.expression(withConditional));
      if (!this.stream.skipOperator(',')) break;
      commas = true;
    }
    if (commas || (items.length === 0 && allowEmpty)) return { kind: 'tuple', items, ...position };
    if (items[0]) return items[0];
    throw this.stream.failure(`expected an expression, got ${this.stream.shown()}`);
  }

  private tupleEnds(ends: readonly string[]): boolean {
    const { current } = this.stream;
    return (
      current.kind === 'end' || this.stream.isOperator(')') || (current.kind === 'name' && ends.includes(current.text))
    );
  }

  private conditional(): Expression {
    let result = this.or();
    for (let links = 0; this.stream.isName('if'); links++) {
      this.link(links);
      const position = this.stream.position(this.stream.next());
      const test = this.or();
      const otherwise = this.stream.skipName('else') ? this.nested(() => this.conditional()) : undefined;
      result = { kind: 'conditional', test, yes: result, no: otherwise, ...position };
    }
    return result;
  }

  private or(): Expression {
    let left = this.and();
    for (let links = 0; this.stream.isName('or'); links++) {
      this.link(links);
      const position = this.stream.position(this.stream.next());
      left = { kind: 'or', left, right: this.and(), ...position };
    }
    return left;
  }

  private and(): Expression {
    let left = this.not();
    for (let links = 0; this.stream.isName('and'); links++) {
      this.link(links);
      const position = this.stream.position(this.stream.next());
      left = { kind: 'and', left, right: this.not(), ...position };
    }
    return left;
  }

  private not(): Expression {
    if (!this.stream.isName('not')) return this.comparison();
    const position = this.stream.position(this.stream.next());
    return { kind: 'not', operand: this.nested(() => this.not()), ...position };
  }

  private comparison(): Expression {
    const position = this.stream.position();
    const first = this.sum();
    const rest: { operator: CompareOperator; operand: Expression }[] = [];
    for (let operator = this.comparisonOperator(); operator; operator = this.comparisonOperator()) {
      rest.push({ operator, operand: this.sum() });
    }
    return rest.length > 0 ? { kind: 'compare', first, rest, ...position } : first;
  }

  private comparisonOperator(): CompareOperator | undefined {
    const { stream } = this;
    if (stream.current.kind === 'operator' && comparisons.has(stream.current.text)) {
      return stream.next().text as CompareOperator;
    }
    if (stream.skipName('in')) return 'in';
    if (!stream.isName('not') || stream.following.kind !== 'name' || stream.following.text !== 'in') return undefined;
    stream.next();
    stream.next();
    return 'not in';
  }

  private sum(): Expression {
    return this.leftAssociative(['+', '-'], () => this.concat());
  }

  private concat(): Expression {
    const position = this.stream.position();
    const parts = [this.product()];
    while (this.stream.skipOperator('~')) parts.push(this.product());
    return parts.length > 1 ? { kind: 'concat', parts, ...position } : parts[0]!;
  }

  private product(): Expression {
    return this.leftAssociative(['*', '/', '//', '%'], () => this.power());
  }

  private power(): Expression {
    return this.leftAssociative(['**'], () => this.unary(true));
  }

  private leftAssociative(operators: BinaryOperator[], operand: () => Expression): Expression {
    let left = operand();
    for (let links = 0; ; links++) {
      this.link(links);
      const operator = operators.find((text) => this.stream.isOperator(text));
      if (!operator) return left;
      const position = this.stream.position(this.stream.next());
      left = { kind: 'binary', operator, left, right: operand(), ...position };
    }
  }

  private unary(withFilters: boolean): Expression {
    const position = this.stream.position();
    const operator = (['-', '+'] as const).find((text) => this.stream.skipOperator(text));
    const inner: Expression = operator
      ? { kind: 'unary', operator, operand: this.nested(() => this.unary(false)), ...position }
      : this.primary();
    const node = this.postfix(inner);
    return withFilters ? this.filtersAndTests(node) : node;
  }

  private filtersAndTests(start: Expression): Expression {
    let node = start;
    for (let links = 0; ; links++) {
      this.link(links);
      const position = this.stream.position();
      if (this.stream.skipOperator('|')) node = { kind: 'filter', target: node, ...this.filterCall(), ...position };
      else if (this.stream.skipName('is')) node = this.test(node, position);
      else if (this.stream.isOperator('(')) node = { kind: 'call', callee: node, call: this.arguments(), ...position };
      else return node;
    }
  }

  /** A filter's name and arguments, behind the `|`. */
  filterCall(): FilterCall {
    const position = this.stream.position();
    const name = this.dottedName('a filter');
    return { name, call: this.stream.isOperator('(') ? this.arguments() : noArguments(), ...position };
  }

  private dottedName(what: string): string {
    let name = this.stream.expectName(`the name of ${what}`).text;
    while (this.stream.skipOperator('.')) name += `.${this.stream.expectName(`the name of ${what}`).text}`;
    return name;
  }

  private test(target: Expression, position: Position): Expression {
    const negated = this.stream.skipName('not');
    const name = this.dottedName('a test');
    const test: Expression = { kind: 'test', name, target, call: this.testArguments(), ...position };
    return negated ? { kind: 'not', operand: test, ...position } : test;
  }

  private testArguments(): Arguments {
    const { stream } = this;
    if (stream.isOperator('(')) return this.arguments();
    const { kind, text } = stream.current;
    if (kind === 'name' && text === 'is') throw stream.failure('tests cannot be chained with is');
    const begins =
      kind === 'operator' ? '[{'.includes(text) : kind !== 'end' && !(kind === 'name' && notArguments.has(text));
    return begins ? { args: [this.postfix(this.primary())], kwargs: [] } : noArguments();
  }
}
