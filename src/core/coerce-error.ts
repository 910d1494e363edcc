/** Why a value does not fit its parameter; the message goes on after the parameter's name. */
export class CoerceError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'CoerceError';
    this.hint = hint;
  }
}
