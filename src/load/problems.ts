import { InputErrors, KpushError } from '../core/errors.ts';

/** Collects what is wrong with the input, so that one run shows all of it. */
export class Problems {
  readonly errors: KpushError[] = [];
  readonly warnings: KpushError[] = [];

  add(error: KpushError): void {
    this.errors.push(error);
  }

  warn(error: KpushError): void {
    this.warnings.push(error);
  }

  /** Runs `read`; input errors it throws are kept and the answer is undefined. */
  attempt<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.keep(error);
      return undefined;
    }
  }

  /** Throws what was collected, if anything. */
  check(): void {
    if (this.errors.length === 1) throw this.errors[0];
    if (this.errors.length) throw new InputErrors(this.errors);
  }

  private keep(error: unknown): void {
    if (error instanceof InputErrors) this.errors.push(...error.errors);
    else if (error instanceof KpushError && error.kind === 'input') this.errors.push(error);
    else throw error;
  }
}
