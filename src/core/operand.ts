import { CoerceError } from './coerce-error.ts';
import type { ParamSpec } from './params.ts';

/**
 * Refuses values that a command of the host would take for something else than they are: an operand or a path that
 * begins with `-` is an option to it, whatever the quotes, and an operand of two lines is two lines of its input.
 * Few tools take `--` in all their versions, so that such a value is never handed to any. `made`: the coerced value.
 */
export function checkOperand(name: string, spec: ParamSpec, made: unknown): void {
  const isPath = spec.type === 'path' || spec.elements === 'path';
  if (!isPath && !spec.operand) return;
  for (const item of Array.isArray(made) ? made : [made])
    if (typeof item === 'string') checkText(name, item, isPath, spec.secret ? '' : `, got: ${JSON.stringify(item)}`);
}

function checkText(name: string, text: string, isPath: boolean, got: string): void {
  if (/^\s*-/.test(text))
    throw new CoerceError(
      `value of ${name} must not begin with '-'${got}`,
      isPath
        ? `write ./${text.trim()} if a file is really named so`
        : 'commands of the host would take it for an option',
    );
  if (!isPath && /[\n\r\0]/.test(text.trimEnd())) throw new CoerceError(`value of ${name} must be one line${got}`);
}
