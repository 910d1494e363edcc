/** Waits until `condition` holds; throws `message` when it has not within so many seconds. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  seconds: number,
  message: () => string,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(message());
    await pause(50);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
