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
    const errors = byPlace(this.errors);
    if (errors.length === 1) throw errors[0];
    if (errors.length) throw new InputErrors(errors);
  }

  private keep(error: unknown): void {
    if (error instanceof InputErrors) this.errors.push(...error.errors);
    else if (error instanceof KpushError && error.kind === 'input') this.errors.push(error);
    else throw error;
  }
}

/** Files in the order they were read, within a file from the top down; ones without a place first. */
function byPlace(errors: readonly KpushError[]): KpushError[] {
  const files = [...new Set(errors.map((error) => error.facts.origin?.file))];
  const key = ({ facts: { origin } }: KpushError) => [
    files.indexOf(origin?.file),
    origin?.line ?? 0,
    origin?.column ?? 0,
  ];
  return [...errors].sort((a, b) => compareAll(key(a), key(b)));
}

function compareAll(a: number[], b: number[]): number {
  return a.map((value, i) => value - (b[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
