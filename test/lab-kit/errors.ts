/** What a lab operation could not do. `details` (a tool's stderr, a log's tail) is printed below the message. */
export class LabError extends Error {
  override readonly name = 'LabError';

  constructor(
    message: string,
    readonly details?: string,
  ) {
    super(message);
  }
}
