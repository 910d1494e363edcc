import type { Context, Environment } from '../environment.ts';
import { typeError } from '../errors.ts';
import { strongest } from '../python/pending.ts';
import { markNow, settleMark, withoutMark } from '../python/text.ts';
import { shownType, undefinedError } from '../python/types.ts';
import { bind } from '../signature.ts';
import type { Expression } from '../syntax/ast.ts';
import {
  type CallArguments,
  Callable,
  mergeUnknown,
  PyObject,
  type Scope,
  Undefined,
  Unknown,
  UnknownReached,
  type Value,
} from '../values.ts';
import { attributeOf, subscript } from './access.ts';
import { copyContainers } from './copy.ts';
import { find } from './find.ts';
import type { Frame } from './frame.ts';

export interface RunOptions {
  origin?: string;
  /** The result of macros and `set` blocks is read back as a literal, as Ansible does in YAML strings. */
  native?: boolean;
  /** Variables are copied before use, because the template changes its lists or dicts. */
  copies?: boolean;
}

export type Evaluator = (node: Expression, frame: Frame, run: Run) => Value;

/** One evaluation or rendering: where names come from, and how filters, tests and functions are called. */
export class Run implements Context {
  /** What made the rendering's text unknown, if anything did. */
  unknown?: Unknown;
  private readonly resolved = new Map<string, Value>();

  constructor(
    readonly env: Environment,
    readonly scope: Scope,
    readonly options: RunOptions,
    private readonly evaluator: Evaluator,
  ) {}

  evaluate(node: Expression, frame: Frame): Value {
    return this.evaluator(node, frame, this);
  }

  lookup(name: string, frame: Frame): Value {
    const local = frame.get(name);
    if (local !== undefined) return local;
    const value = this.variable(name);
    if (value !== undefined) return value;
    return this.env.globals.get(name) ?? this.missing(name, frame);
  }

  private variable(name: string): Value | undefined {
    if (!this.options.copies) return this.scope.get(name);
    const known = this.resolved.get(name);
    if (known !== undefined) return known;
    const value = this.scope.get(name);
    if (value === undefined) return undefined;
    const copy = copyContainers(value);
    this.resolved.set(name, copy);
    return copy;
  }

  private missing(name: string, frame: Frame): Undefined {
    return new Undefined(name, undefined, () => [...frame.all(), ...this.scope.names(), ...this.env.globals.keys()]);
  }

  noteUnknown(unknown: Unknown): void {
    this.unknown = this.unknown ? mergeUnknown(this.unknown, unknown) : unknown;
  }

  filter(name: string, value: Value, call: CallArguments): Value {
    const filter = find(this.env.filters, name, 'filter');
    const blocked = filter.takesAnything ? undefined : anyUnknown(value, call);
    if (blocked) return blocked;
    const before = markNow();
    try {
      const result = filter.run(value, bind(filter.signature, call, `the filter ${name}`), this);
      return settleMark(before, result instanceof PyObject ? result.unrolled() : result);
    } catch (error) {
      if (error instanceof UnknownReached)
        return strongest(error.unknown, [value, ...call.args, ...call.kwargs.values()]);
      throw error;
    }
  }

  test(name: string, value: Value, call: CallArguments): boolean | Unknown {
    const test = find(this.env.tests, name, 'test');
    const blocked = test.takesAnything ? undefined : anyUnknown(value, call);
    if (blocked) return blocked;
    try {
      return withoutMark(() => test.run(value, bind(test.signature, call, `the test ${name}`), this));
    } catch (error) {
      if (error instanceof UnknownReached)
        return strongest(error.unknown, [value, ...call.args, ...call.kwargs.values()]);
      throw error;
    }
  }

  readonly attribute = attributeOf;
  readonly item = subscript;

  call(callee: Value, call: CallArguments): Value {
    if (callee instanceof Unknown) return callee;
    if (callee instanceof Undefined) throw undefinedError(callee);
    if (callee instanceof Callable) return callee.call(call, this);
    if (callee instanceof PyObject && callee.call) return callee.call(call, this);
    throw typeError(`'${shownType(callee)}' object is not callable`);
  }
}

/** The first Unknown among a value and arguments, or what several make together. */
export function anyUnknown(value: Value, call: CallArguments): Unknown | undefined {
  let found = value instanceof Unknown ? value : undefined;
  for (const argument of call.args) if (argument instanceof Unknown) found = merged(found, argument);
  if (call.kwargs.size === 0) return found;
  for (const argument of call.kwargs.values()) if (argument instanceof Unknown) found = merged(found, argument);
  return found;
}

const merged = (found: Unknown | undefined, next: Unknown) => (found ? mergeUnknown(found, next) : next);
