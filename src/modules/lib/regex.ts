import { TaskFailure } from '../../core/result.ts';
import { type PythonRegex, pythonRegex } from '../../jinja/regex/regex.ts';

/** A pattern of Python's `re` from a parameter; one that is none fails the task. */
export function regex(source: string, param: string, flags: Parameters<typeof pythonRegex>[1] = {}): PythonRegex {
  try {
    return pythonRegex(source, flags);
  } catch (error) {
    throw new TaskFailure(`${param}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
