import { deeper } from '../budget.ts';
import { typeError } from '../errors.ts';
import { Dict } from '../python/dict.ts';
import type { Macro, Statement } from '../syntax/ast.ts';
import { type CallArguments, Callable, firstDefined, Tuple, Undefined, type Value } from '../values.ts';
import { Frame } from './frame.ts';
import type { Run } from './run.ts';

type Capture = (body: readonly Statement[], frame: Frame, run: Run) => Value;

/** A macro as a function; its body sees the names around its definition. */
export function makeMacro(macro: Macro, outer: Frame, run: Run, capture: Capture): Callable {
  const call = (passed: CallArguments): Value =>
    deeper(() => {
      const frame = new Frame(outer);
      bindParameters(macro, passed, frame, run);
      return capture(macro.body, frame, run);
    });
  return new Callable(macro.name, call, 'Macro');
}

function bindParameters(macro: Macro, passed: CallArguments, frame: Frame, run: Run): void {
  const kwargs = new Map(passed.kwargs);
  for (const [i, { name, default: fallback }] of macro.parameters.entries()) {
    const given = passed.args[i];
    if (given !== undefined && kwargs.has(name))
      throw typeError(`macro '${macro.name}' got the argument '${name}' twice`);
    const passedValue = firstDefined(given, kwargs.get(name));
    const value = passedValue === undefined && fallback ? run.evaluate(fallback, frame) : passedValue;
    frame.set(name, value === undefined ? new Undefined(name, `parameter '${name}' was not provided`) : value);
    kwargs.delete(name);
  }
  bindCaller(macro, kwargs, frame);
  bindExtras(macro, passed.args.slice(macro.parameters.length), kwargs, frame);
}

function bindCaller(macro: Macro, kwargs: Map<string, Value>, frame: Frame): void {
  if (!macro.reads.caller) return;
  const caller = kwargs.get('caller');
  frame.set('caller', caller === undefined ? new Undefined('caller', 'No caller defined') : caller);
  kwargs.delete('caller');
}

function bindExtras(macro: Macro, rest: readonly Value[], kwargs: Map<string, Value>, frame: Frame): void {
  const { name, parameters, reads } = macro;
  if (reads.varargs) frame.set('varargs', new Tuple(rest));
  else if (rest.length > 0) throw typeError(`macro '${name}' takes not more than ${parameters.length} argument(s)`);
  if (reads.kwargs) frame.set('kwargs', new Dict(kwargs));
  else if (kwargs.size > 0) throw typeError(`macro '${name}' takes no keyword argument '${[...kwargs.keys()][0]}'`);
}
