import type { Target } from '../core/session.ts';

/** sshd's MaxStartups begins to drop logins at random once 10 are under way; some slots are left for people. */
const atOnce = 8;

const queues = new Map<string, { running: number; waiting: (() => void)[] }>();

/** Runs a login when fewer than 8 others to the same sshd (the first on the way) are under way, in order. */
export async function inTurn<T>(target: Target, login: () => Promise<T>): Promise<T> {
  const key = doorOf(target);
  const queue = queues.get(key) ?? { running: 0, waiting: [] };
  queues.set(key, queue);
  if (queue.running >= atOnce) await new Promise<void>((resolve) => queue.waiting.push(resolve));
  else queue.running++;
  try {
    return await login();
  } finally {
    // The slot is handed on, so that nobody who comes now overtakes who waits.
    const next = queue.waiting.shift();
    if (next) next();
    else if (--queue.running === 0) queues.delete(key);
  }
}

function doorOf({ proxyJump, proxyCommand, address, port }: Target): string {
  return proxyJump ? doorOf(proxyJump) : (proxyCommand ?? `${address}:${port}`);
}
