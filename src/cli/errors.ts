import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatInputError } from '../core/error-frame.ts';
import { InputErrors, inputError, KpushError } from '../core/errors.ts';
import type { RunEvent } from '../core/events.ts';
import { TaskFailure } from '../core/result.ts';
import { SessionError } from '../core/session.ts';
import { TemplateError } from '../jinja/errors.ts';
import { sanitize } from '../report/sanitize.ts';
import type { Style } from '../report/style.ts';
import type { Output } from './output.ts';

export interface ErrorOptions {
  output: Output;
  errStyle: Style;
  cwd: string;
  /** Where the error is told as an event; it is printed here, not by the display. */
  add?(event: RunEvent): void;
}

/** Prints whatever a command threw, with its place in the file, and tells it as events. */
export function reportErrors(error: unknown, { output, errStyle, cwd, add }: ErrorOptions) {
  for (const one of errorsIn(error)) {
    output.err(`${errStyle.red('error:')} ${errorText(one, cwd)}\n`);
    if (one.kind === 'internal' && one.cause instanceof Error) output.err(`${sanitize(one.cause.stack ?? '')}\n`);
    add?.({
      type: 'error',
      time: Date.now(),
      kind: one.kind,
      message: one.message,
      facts: { ...one.facts, cause: undefined },
    });
  }
}

/** The error with the line of the file it is about. */
export function errorText(error: KpushError, cwd: string): string {
  return formatInputError(error, (file) => readText(resolve(cwd, file)));
}

/** Limits of their own refuse what nests too deeply with its place; what multiplies below them ends here. */
const tooDeep = new KpushError('input', 'something in the playbook or the inventory is nested too deeply');

function errorsIn(error: unknown): KpushError[] {
  if (error instanceof InputErrors) return error.errors;
  if (error instanceof KpushError) return [error];
  if (error instanceof RangeError && error.message.includes('call stack')) return [tooDeep];
  if (error instanceof SessionError) return [new KpushError('input', error.message, { cause: error })];
  if (error instanceof TemplateError) return [templateProblem(error)];
  if (error instanceof TaskFailure) return [inputError(error.message, error.hint ? { hint: error.hint } : {})];
  const message = error instanceof Error ? error.message : String(error);
  const hint = 'this is a fault in kpush; please report it with the text below';
  return [new KpushError('internal', message, { cause: error, hint })];
}

/** Of a keyword of a play: no task is there to fail. */
function templateProblem({ message, origin, line = 1, column = 1, nearest }: TemplateError): KpushError {
  const place = origin === undefined ? {} : { origin: { file: origin, line, column } };
  return inputError(message, { ...place, ...(nearest ? { nearest } : {}) });
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
