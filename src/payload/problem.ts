/** What is wrong with a source, in words for the person who named it. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';
}
