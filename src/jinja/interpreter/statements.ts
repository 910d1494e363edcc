import { deeper, spend } from '../budget.ts';
import { TemplateError } from '../errors.ts';
import { strongest } from '../python/pending.ts';
import { items } from '../python/sequence.ts';
import type { FilterCall, Statement } from '../syntax/ast.ts';
import { isMapping, PyObject, Unknown, UnknownReached, type Value } from '../values.ts';
import { argumentsIn } from './arguments.ts';
import { assign } from './assign.ts';
import { Frame } from './frame.ts';
import { Loop } from './loop.ts';
import { makeMacro } from './macro.ts';
import { Output } from './output.ts';
import type { Run } from './run.ts';
import { truthOf } from './truth.ts';

type Kind<K extends Statement['kind']> = Statement & { kind: K };
/** How a body ended: loops react to the two jumps. */
type Jump = 'break' | 'continue' | undefined;

/** Runs the statements of a body, adding what they print to `out`. */
export function execute(body: readonly Statement[], frame: Frame, run: Run, out: Output): Jump {
  for (const statement of body) {
    const jump = executeOne(statement, frame, run, out);
    if (jump) return jump;
  }
  return undefined;
}

function executeOne(statement: Statement, frame: Frame, run: Run, out: Output): Jump {
  try {
    return dispatch(statement, frame, run, out);
  } catch (error) {
    if (error instanceof UnknownReached) run.noteUnknown(error.unknown);
    else if (error instanceof TemplateError) throw error.at(run.options.origin, statement.line, statement.column);
    else throw error;
    return undefined;
  }
}

function dispatch(statement: Statement, frame: Frame, run: Run, out: Output): Jump {
  switch (statement.kind) {
    case 'text':
      out.add(statement.text);
      return undefined;
    case 'output':
      print(run.evaluate(statement.expression, frame), out);
      return undefined;
    case 'if':
      return executeIf(statement, frame, run, out);
    case 'for':
      return executeFor(statement, frame, run, out);
    case 'with':
      return executeWith(statement, frame, run, out);
    case 'break':
    case 'continue':
      return statement.kind;
    default:
      executeBinding(statement, frame, run, out);
      return undefined;
  }
}

type Binding = Kind<'set' | 'set-block' | 'macro' | 'call-block' | 'filter-block' | 'do'>;

function executeBinding(statement: Binding, frame: Frame, run: Run, out: Output): void {
  if (statement.kind === 'set') assign(statement.target, run.evaluate(statement.value, frame), frame);
  else if (statement.kind === 'do') run.evaluate(statement.expression, frame);
  else if (statement.kind === 'macro') frame.set(statement.macro.name, makeMacro(statement.macro, frame, run, capture));
  else if (statement.kind === 'call-block') out.add(finalize(executeCall(statement, frame, run)));
  else executeCapture(statement, frame, run, out);
}

function executeCapture(statement: Kind<'set-block' | 'filter-block'>, frame: Frame, run: Run, out: Output): void {
  const value = filtered(statement.filters, statement.body, frame, run);
  if (statement.kind === 'set-block') assign(statement.target, value, frame);
  else out.add(finalize(value));
}

/** Adds a value to the output; what of it is unknown, a pending part first, makes all of the text unknown. */
function print(value: Value, out: Output): void {
  try {
    out.add(finalize(value));
  } catch (error) {
    throw error instanceof UnknownReached ? new UnknownReached(strongest(error.unknown, [value])) : error;
  }
}

/** What an output prints: None prints nothing, ranges and dict views print as lists, Unknown stops the text. */
export function finalize(value: Value): Value {
  if (value instanceof Unknown) throw new UnknownReached(value);
  if (value === null) return '';
  return value instanceof PyObject ? value.unrolled() : value;
}

/** An output for text, or for one value that is read back. */
export function newOutput({ options }: Run): Output {
  return new Output(options.copies === true && options.native !== true);
}

/** What a body prints, as the value that a macro or `set` block gives. */
export function capture(body: readonly Statement[], frame: Frame, run: Run): Value {
  const out = newOutput(run);
  execute(body, frame, run, out);
  return run.options.native ? out.native() : out.text();
}

function filtered(filters: readonly FilterCall[], body: readonly Statement[], frame: Frame, run: Run): Value {
  let value = capture(body, new Frame(frame), run);
  for (const { name, call } of filters) value = run.filter(name, value, argumentsIn(call, frame, run));
  return value;
}

function executeIf(statement: Kind<'if'>, frame: Frame, run: Run, out: Output): Jump {
  for (const { test, body } of statement.branches) {
    const truth = truthOf(test, frame, run);
    if (truth instanceof Unknown) throw new UnknownReached(truth);
    if (truth) return execute(body, frame, run, out);
  }
  return execute(statement.otherwise, frame, run, out);
}

function executeFor(statement: Kind<'for'>, frame: Frame, run: Run, out: Output): Jump {
  runLoop(statement, run.evaluate(statement.items, frame), frame, run, out, 0);
  return undefined;
}

function runLoop(statement: Kind<'for'>, source: Value, frame: Frame, run: Run, out: Output, depth: number): void {
  const turns = loopItems(statement, source, frame, run);
  const recurse = (inner: Value): Value => deeper(() => recursion(statement, inner, frame, run, depth + 1));
  const loop = new Loop(turns, depth, statement.recursive ? recurse : undefined);
  for (const [index, item] of turns.entries()) {
    spend();
    loop.index0 = index;
    const inner = new Frame(frame);
    assign(statement.target, item, inner);
    inner.set('loop', loop);
    if (execute(statement.body, inner, run, out) === 'break') return;
  }
  if (turns.length === 0) execute(statement.otherwise, new Frame(frame), run, out);
}

function recursion(statement: Kind<'for'>, source: Value, frame: Frame, run: Run, depth: number): Value {
  const out = newOutput(run);
  runLoop(statement, source, frame, run, out, depth);
  return run.options.native ? out.native() : out.text();
}

function loopItems(statement: Kind<'for'>, source: Value, frame: Frame, run: Run): readonly Value[] {
  const all = items(source);
  const { filter } = statement;
  if (!filter) return isMapping(source) ? all : [...all];
  return all.filter((item) => {
    const inner = new Frame(frame);
    assign(statement.target, item, inner);
    const truth = truthOf(filter, inner, run);
    if (truth instanceof Unknown) throw new UnknownReached(truth);
    return truth;
  });
}

function executeWith(statement: Kind<'with'>, frame: Frame, run: Run, out: Output): Jump {
  const inner = new Frame(frame);
  const values = statement.bindings.map(({ value }) => run.evaluate(value, frame));
  statement.bindings.forEach(({ target }, i) => {
    assign(target, values[i]!, inner);
  });
  return execute(statement.body, inner, run, out);
}

function executeCall(statement: Kind<'call-block'>, frame: Frame, run: Run): Value {
  const { call } = statement;
  const passed = argumentsIn(call.call, frame, run);
  const kwargs = new Map(passed.kwargs).set('caller', makeMacro(statement.macro, frame, run, capture));
  return deeper(() => run.call(run.evaluate(call.callee, frame), { args: passed.args, kwargs }));
}
