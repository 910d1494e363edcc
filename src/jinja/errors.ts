export type ErrorKind = 'syntax' | 'undefined' | 'type' | 'limit' | 'security';

/** Where a template stands: `name` is shown as is (usually a file); line and column count from 1. */
export interface Origin {
  name: string;
  line?: number;
  column?: number;
}

export interface ErrorDetails {
  origin?: string;
  line?: number;
  column?: number;
  undefinedName?: string;
  nearest?: string;
}

/** Everything that can be wrong with a template or its evaluation. `message` has no position in it. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  origin?: string;
  line?: number;
  column?: number;
  /** The name that is not defined, and the defined one that is most like it. */
  readonly undefinedName?: string;
  readonly nearest?: string;

  constructor(
    readonly kind: ErrorKind,
    message: string,
    details: ErrorDetails = {},
  ) {
    super(message);
    Object.assign(this, details);
  }

  /** Fills the position in where the error did not know it: the innermost place wins. */
  at(origin: string | undefined, line: number, column: number): this {
    if (this.line === undefined) {
      this.origin = origin;
      this.line = line;
      this.column = column;
    }
    return this;
  }
}

export const typeError = (message: string) => new TemplateError('type', message);
export const limitError = (message: string) => new TemplateError('limit', message);
