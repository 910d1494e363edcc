import type { Expression, Template } from './ast.ts';
import type { Environment } from './environment.ts';
import type { Origin } from './errors.ts';
import type { Scope, Unknown, Unsafe, Value } from './values.ts';

export interface TemplateOptions {
  trimBlocks?: boolean;
  lstripBlocks?: boolean;
  newlineSequence?: '\n' | '\r\n' | '\r';
}

/** A name that an expression or template reads. */
export interface FreeName {
  name: string;
  line: number;
  column: number;
  /** It stands under `default()`, `is defined` or `is undefined`: nothing needs to define it. */
  guarded: boolean;
}

const later = (): never => {
  throw new Error('the template engine is being written');
};

/** Parses one expression, the inside of `{{ }}`. Throws a TemplateError of kind `syntax`. */
export const parseExpression: (source: string, origin?: Origin) => Expression = later;
/** Parses a template file; an Ansible header line `#jinja2: key:value, …` overrides the options. */
export const parseTemplate: (source: string, options?: TemplateOptions, origin?: Origin) => Template = later;
/** The value of an expression; Undefined values are returned, not thrown. */
export const evaluate: (expression: Expression, scope: Scope, env: Environment) => Value = later;
/** The text of a template file. */
export const render: (template: Template, scope: Scope, env: Environment) => string | Unsafe | Unknown = later;
/** The value of a string from YAML, by Ansible's rules (types kept, literals read back). */
export const renderNative: (source: Value, scope: Scope, env: Environment, origin?: Origin) => Value = later;
/** The verdict of one `when`/`changed_when`/`that` entry. */
export const evaluateCondition: (source: Value, scope: Scope, env: Environment, origin?: Origin) => boolean | Unknown =
  later;
/** Python's truth. Throws for Undefined. */
export const truthy: (value: Value) => boolean | Unknown = later;
/** Python's repr(). */
export const pyRepr: (value: Value) => string = later;
/** Python's str(). */
export const pyStr: (value: Value) => string = later;
/** Python's ==. */
export const pyEquals: (a: Value, b: Value) => boolean | Unknown = later;
/** Python's order: negative, 0 or positive. Throws a TemplateError of kind `type` when there is none. */
export const compare: (a: Value, b: Value) => number | Unknown = later;
/** json.dumps() with Ansible's defaults. */
export const toJson: (value: Value) => string = later;
/** A value from JSON-like JavaScript: objects become dicts, integral numbers ints. */
export const fromPlain: (plain: unknown) => Value = later;
/** JSON-like JavaScript from a value: dicts become objects, Float and Unsafe lose their class. Throws for Unknown. */
export const toPlain: (value: Value) => unknown = later;
/** ast.literal_eval() of Python; undefined when the text is no literal. */
export const parsePythonLiteral: (text: string) => Value | undefined = later;
/** The names an expression or template reads from outside. */
export const freeNames: (parsed: Expression | Template) => FreeName[] = later;
/** A new environment with all of Ansible's filters, tests and globals. */
export const standardEnvironment: (options?: Partial<Environment>) => Environment = later;
