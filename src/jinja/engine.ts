import { withBudget } from './budget.ts';
import type { Environment } from './environment.ts';
import { type Origin, TemplateError } from './errors.ts';
import { checkExpression, checkTemplate } from './interpreter/check.ts';
import { evaluate as evaluateNode } from './interpreter/expressions.ts';
import { Frame } from './interpreter/frame.ts';
import type { Output } from './interpreter/output.ts';
import { Run, type RunOptions } from './interpreter/run.ts';
import { execute, newOutput } from './interpreter/statements.ts';
import { truthOf } from './interpreter/truth.ts';
import { Dict } from './python/dict.ts';
import type { Expression, Template } from './syntax/ast.ts';
import { type ParsedExpression, parseYamlString } from './templates.ts';
import { isNumber, type Scope, Undefined, type Unknown, UnknownReached, Unsafe, type Value } from './values.ts';

/** The value of an expression; an Undefined result is returned, not thrown. */
export function evaluate(parsed: ParsedExpression, scope: Scope, env: Environment): Value {
  checkExpression(parsed.root, env, parsed.origin);
  return withBudget(env.limits, () => {
    const run = newRun(env, scope, { origin: parsed.origin, copies: parsed.mutates });
    return evaluateNode(parsed.root, new Frame(), run);
  });
}

export function newRun(env: Environment, scope: Scope, options: RunOptions): Run {
  return new Run(env, scope, options, evaluateNode);
}

/** The text of a template file; Unknown when any of it is. */
export function render(template: Template, scope: Scope, env: Environment): string | Unsafe | Unknown {
  const result = run(template, scope, env, false, (out) => out.text());
  return result as string | Unsafe | Unknown;
}

function run(
  template: Template,
  scope: Scope,
  env: Environment,
  native: boolean,
  finish: (out: Output, run: Run) => Value,
): Value {
  checkTemplate(template.body, env, template.origin);
  const run = newRun(env, scope, { origin: template.origin, copies: template.mutates, native });
  const out = newOutput(run);
  try {
    const result = withBudget(env.limits, () => {
      execute(template.body, new Frame(), run, out);
      return finished(out, run, finish);
    });
    return run.unknown ?? withNewlines(result, template);
  } catch (error) {
    if (run.unknown && error instanceof TemplateError && (error.kind === 'undefined' || error.kind === 'type')) {
      return run.unknown;
    }
    throw error;
  }
}

/** Only now is text made of a list that stands alone: it may hold something unknown too. */
function finished(out: Output, run: Run, finish: (out: Output, run: Run) => Value): Value {
  if (run.unknown) return run.unknown;
  try {
    return finish(out, run);
  } catch (error) {
    if (error instanceof UnknownReached) return error.unknown;
    throw error;
  }
}

/** Jinja drops newlines at the end that Ansible puts back. */
function withNewlines(result: Value, template: Template): Value {
  if (typeof result === 'string') return completed(result, template);
  return result instanceof Unsafe ? new Unsafe(completed(result.text, template)) : result;
}

function completed(text: string, template: Template): string {
  const present = /\n*$/.exec(text)![0].length;
  return text + template.newlineSequence.repeat(Math.max(0, template.trailingNewlines - present));
}

const delimiter = /\{[{%#]/;
const singleName = /^\{\{\s*(\w*)\s*\}\}\n?$/;

/**
 * The value of what stands in a YAML file, by Ansible's rules: lists and dicts are rendered item by item; `"{{ x }}"`
 * alone keeps a number or boolean; a result that looks like a list, dict or boolean becomes one; all else is text.
 * `origin` is where a string begins in its file.
 */
export function renderNative(source: Value, scope: Scope, env: Environment, origin?: Origin): Value {
  if (typeof source === 'string') return renderString(source, scope, env, origin);
  if (Array.isArray(source)) return source.map((item) => renderNative(item, scope, env, origin));
  if (!(source instanceof Map)) return source;
  return new Dict([...source].map(([key, value]) => [key, renderNative(value, scope, env, origin)]));
}

function renderString(source: string, scope: Scope, env: Environment, origin?: Origin): Value {
  if (!delimiter.test(source)) return source;
  return withBudget(env.limits, () => {
    const name = singleName.exec(source)?.[1];
    const kept = name === undefined ? undefined : keptValue(name, scope);
    if (kept !== undefined) return kept;
    const template = parseYamlString(source, origin);
    return run(template, scope, env, true, (out, run) => (keepsText(template, run) ? out.text() : out.native()));
  });
}

/** The value of a variable that `"{{ name }}"` passes on without making text of it. */
function keptValue(name: string, scope: Scope): Value | undefined {
  if (scope.isTemplated?.(name)) return undefined;
  const value = scope.get(name);
  return value === null || isNumber(value) ? value : undefined;
}

/** Whether the only output ends in a filter whose text Ansible does not read back. */
function keepsText({ body: [only, ...others] }: Template, run: Run): boolean {
  return others.length === 0 && only?.kind === 'output' && endsInText(only.expression, run);
}

const textFilters = new Set(['string', 'to_json', 'to_nice_json', 'to_yaml', 'to_nice_yaml', 'ppretty', 'json']);

function endsInText(node: Expression | undefined, run: Run): boolean {
  if (node?.kind === 'filter') return textFilters.has(node.name) || endsInText(passedOn(node, run), run);
  if (node?.kind !== 'conditional') return false;
  return endsInText(truthOf(node.test, new Frame(), run) === true ? node.yes : node.no, run);
}

/** What a filter gives out as it is: its value, or one of its arguments. */
function passedOn(node: Expression & { kind: 'filter' }, run: Run): Expression | undefined {
  if (node.name === 'mandatory') return node.target;
  if (node.name === 'ternary') return node.call.args[truthOf(node.target, new Frame(), run) === true ? 0 : 1];
  if (node.name !== 'default' && node.name !== 'd') return undefined;
  return run.evaluate(node.target, new Frame()) instanceof Undefined ? node.call.args[0] : node.target;
}
