import { TaskFailure } from '../../core/result.ts';
import { type Match, type PythonRegex, pythonRegex } from '../../jinja/regex/regex.ts';
import { replacementOf } from '../../jinja/regex/template.ts';

/** A pattern of Python's `re` from a parameter; one that is none fails the task. */
export function regex(source: string, param: string, flags: Parameters<typeof pythonRegex>[1] = {}): PythonRegex {
  return told(param, () => pythonRegex(source, flags));
}

/** Python's replacement text (`\\1`, `\\g<name>`) as a function. */
export function replacement(pattern: PythonRegex, source: string, param = 'replace'): (match: Match) => string {
  return told(param, () => replacementOf(pattern, source));
}

function told<T>(param: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new TaskFailure(`${param}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
