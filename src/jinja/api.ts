import { equals, order } from './python/compare.ts';
import { parseLiteral } from './python/literal.ts';
import { pyRepr as repr, pyStr as str } from './python/repr.ts';
import { withoutMark } from './python/text.ts';
import { type Unknown, UnknownReached, type Value } from './values.ts';

export { type Used, type UsedName, usedNames } from './analysis/used.ts';
export { evaluateCondition, truth as truthy } from './conditions.ts';
export { evaluate, render, renderNative } from './engine.ts';
export { knows } from './interpreter/find.ts';
export { fromPlain, toPlain } from './python/convert.ts';
export { standardEnvironment } from './standard.ts';
export { type FreeName, freeNames } from './syntax/free-names.ts';
export {
  type ParsedExpression,
  parseCondition,
  parseExpression,
  parseTemplate,
  parseYamlString,
  type TemplateOptions,
} from './templates.ts';

/** Python's repr(). Throws for Undefined; an Unknown anywhere in the value makes it Unknown. */
export const pyRepr = (value: Value): string | Unknown => openly(() => repr(value));
/** Python's str(). Throws for Undefined; an Unknown anywhere in the value makes it Unknown. */
export const pyStr = (value: Value): string | Unknown => openly(() => str(value));
/** Python's ==. Throws for Undefined. */
export const pyEquals = (a: Value, b: Value): boolean | Unknown => openly(() => equals(a, b));
/** Python's order: negative, 0 or positive. Throws a TemplateError of kind `type` when there is none. */
export const compare = (a: Value, b: Value): number | Unknown => openly(() => order(a, b));
/** ast.literal_eval() of Python; undefined when the text is no literal. */
export const parsePythonLiteral = (text: string): Value | undefined => parseLiteral(text);

function openly<T>(run: () => T): T | Unknown {
  try {
    return withoutMark(run);
  } catch (error) {
    if (error instanceof UnknownReached) return error.unknown;
    throw error;
  }
}
