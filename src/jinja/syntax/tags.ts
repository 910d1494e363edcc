import { nearestName } from '../python/nearest.ts';
import type { Expression, FilterCall, Macro, Statement, Target } from './ast.ts';
import { ExpressionParser } from './expressions.ts';
import { namesIn } from './names.ts';
import type { StatementParser } from './statements.ts';
import type { TokenStream } from './stream.ts';

type Bare<T> = T extends unknown ? Omit<T, 'line' | 'column'> : never;
type Node = Bare<Statement>;
type TagParser = (stream: TokenStream, statements: StatementParser) => Node;

const tags: Record<string, TagParser> = {
  if: parseIf,
  for: parseFor,
  set: parseSet,
  macro: parseMacro,
  call: parseCall,
  filter: parseFilter,
  with: parseWith,
  do: (stream) => ({ kind: 'do', expression: ended(stream, expressions(stream).tuple()) }),
  break: (stream) => ended(stream, { kind: 'break' }),
  continue: (stream) => ended(stream, { kind: 'continue' }),
};

/** Parses one `{% %}` and what belongs to it. */
export function parseTag(stream: TokenStream, statements: StatementParser): Node {
  const { text } = stream.current;
  const name = stream.expectName('the name of a tag');
  const parse = Object.hasOwn(tags, text) ? tags[text] : undefined;
  if (parse) return parse(stream, statements);
  const nearest = nearestName(text, Object.keys(tags));
  throw stream.failure(`unknown tag '${text}'${nearest ? `, did you mean '${nearest}'?` : ''}`, name);
}

const expressions = (stream: TokenStream) => new ExpressionParser(stream);

function ended<T>(stream: TokenStream, result: T): T {
  stream.expectEnd();
  return result;
}

function parseIf(stream: TokenStream, statements: StatementParser): Node {
  const branches: { test: Expression; body: Statement[] }[] = [];
  let tag = stream;
  for (;;) {
    const test = ended(tag, expressions(tag).tuple(false));
    const { body, by, stream: next } = statements.until(['elif', 'else', 'endif'], tag);
    branches.push({ test, body });
    tag = next;
    if (by === 'elif') continue;
    const otherwise = by === 'else' ? statements.until(['endif'], tag).body : [];
    return { kind: 'if', branches, otherwise };
  }
}

function parseFor(stream: TokenStream, statements: StatementParser): Node {
  const target = parseTarget(stream);
  if (!stream.skipName('in')) throw stream.failure(`expected 'in', got ${stream.shown()}`);
  const items = expressions(stream).tuple(false, ['recursive', 'if']);
  const filter = stream.skipName('if') ? expressions(stream).expression() : undefined;
  const recursive = ended(stream, stream.skipName('recursive'));
  const { body, by, stream: next } = statements.until(['else', 'endfor'], stream);
  const otherwise = by === 'else' ? statements.until(['endfor'], next).body : [];
  return { kind: 'for', target, items, filter, recursive, body, otherwise };
}

/** `a`, `a, b`, `(a, b)`, `namespace.a`. */
function parseTarget(stream: TokenStream): Target {
  const position = stream.position();
  const items: Target[] = [];
  let pattern = false;
  do {
    if (items.length > 0 && !stream.isOperator('(') && stream.current.kind !== 'name') break;
    items.push(parseSingleTarget(stream));
    if (stream.isOperator(',')) pattern = true;
  } while (stream.skipOperator(',') && !stream.isName('in'));
  return pattern ? { kind: 'pattern', items, ...position } : items[0]!;
}

function parseSingleTarget(stream: TokenStream): Target {
  const position = stream.position();
  if (stream.skipOperator('(')) {
    const inner = parseTarget(stream);
    stream.expectOperator(')');
    return inner;
  }
  const { text } = stream.expectName('a variable name');
  if (['true', 'false', 'none', 'True', 'False', 'None'].includes(text))
    throw stream.failure(`cannot assign to ${text}`);
  if (!stream.skipOperator('.')) return { kind: 'name', name: text, ...position };
  return { kind: 'attribute', target: text, name: stream.expectName('an attribute name').text, ...position };
}

function parseSet(stream: TokenStream, statements: StatementParser): Node {
  const target = parseTarget(stream);
  if (stream.skipOperator('=')) return { kind: 'set', target, value: ended(stream, expressions(stream).tuple()) };
  const filters = parseFilters(stream);
  return { kind: 'set-block', target, filters, body: statements.until(['endset'], stream).body };
}

function parseFilters(stream: TokenStream): FilterCall[] {
  const filters: FilterCall[] = [];
  while (stream.skipOperator('|')) filters.push(expressions(stream).filterCall());
  return ended(stream, filters);
}

function parseFilter(stream: TokenStream, statements: StatementParser): Node {
  const first = expressions(stream).filterCall();
  const filters = [first, ...parseFilters(stream)];
  return { kind: 'filter-block', filters, body: statements.until(['endfilter'], stream).body };
}

function parseMacro(stream: TokenStream, statements: StatementParser): Node {
  const { text } = stream.expectName('the name of the macro');
  const parameters = parseParameters(stream);
  stream.expectEnd();
  return { kind: 'macro', macro: macro(text, parameters, statements.until(['endmacro'], stream).body) };
}

function parseCall(stream: TokenStream, statements: StatementParser): Node {
  const parameters = stream.isOperator('(') ? parseParameters(stream) : [];
  const call = expressions(stream).expression();
  if (call.kind !== 'call') throw stream.failure('expected a call', stream.first);
  stream.expectEnd();
  return { kind: 'call-block', call, macro: macro('caller', parameters, statements.until(['endcall'], stream).body) };
}

function parseParameters(stream: TokenStream): Macro['parameters'] {
  const parameters: Macro['parameters'] = [];
  stream.expectOperator('(');
  while (!stream.isOperator(')')) {
    const name = stream.expectName('a parameter name').text;
    const value = stream.skipOperator('=') ? expressions(stream).expression() : undefined;
    if (!value && parameters.at(-1)?.default)
      throw stream.failure('a parameter without default follows one with a default');
    parameters.push({ name, default: value });
    if (!stream.skipOperator(',')) break;
  }
  stream.expectOperator(')');
  return parameters;
}

function macro(name: string, parameters: Macro['parameters'], body: Statement[]): Macro {
  const names = namesIn(body);
  const reads = { varargs: names.has('varargs'), kwargs: names.has('kwargs'), caller: names.has('caller') };
  return { name, parameters, body, reads };
}

function parseWith(stream: TokenStream, statements: StatementParser): Node {
  const bindings: { target: Target; value: Expression }[] = [];
  while (stream.current.kind !== 'end') {
    if (bindings.length > 0) stream.expectOperator(',');
    const target = parseSingleTarget(stream);
    stream.expectOperator('=');
    bindings.push({ target, value: expressions(stream).expression() });
  }
  return { kind: 'with', bindings, body: statements.until(['endwith'], stream).body };
}
