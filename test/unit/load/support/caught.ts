import { InputErrors, KpushError } from '../../../../src/core/errors.ts';

/** The input error that `run` throws (of several the first). */
export function caught(run: () => unknown): KpushError {
  try {
    run();
  } catch (error) {
    if (error instanceof InputErrors) return error.errors[0] as KpushError;
    if (error instanceof KpushError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
