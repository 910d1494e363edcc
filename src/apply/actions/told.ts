import type { ActionCall } from '../../core/needs.ts';
import type { Emit } from '../../plan/driver.ts';

interface Teller {
  emit: Emit;
  now(): number;
}

/** What an action is doing, as a person reads it; absent: it tells itself, or is over at once. */
const titles: Record<string, (params: Record<string, unknown>) => string> = {
  fetch: ({ src }) => `fetch ${src}`,
  pause: ({ minutes, seconds }) => `pause for ${60 * Number(minutes ?? 0) + Number(seconds ?? 0)} s`,
  reboot: () => 'reboot',
  reprovision: ({ cmd }) => `have the machine made anew by: ${cmd}`,
  wait_for: ({ port, path, host, state }) => `wait until ${path ?? `${host}:${port}`} is ${state}`,
  wait_for_connection: () => 'wait for the connection',
};

/** Does the work as a step that screens, journal and report can show: it begins, may say something, ends. */
export async function told<T>(call: ActionCall, { emit, now }: Teller, work: () => Promise<T>): Promise<T> {
  const title = titles[call.action]?.(call.params);
  if (title === undefined) return work();
  const { host, seq, task } = call;
  const start = now();
  const end = (rc: number) =>
    emit({ type: 'step-end', host, key: keyOf(call), status: rc === 0 ? 'ok' : 'failed', rc, ms: now() - start });
  emit({ type: 'step-start', host, key: keyOf(call), seq, task: task.id, name: task.name, title });
  try {
    const done = await work();
    end(0);
    return done;
  } catch (error) {
    end(1);
    throw error;
  }
}

/** A line of what goes on, as if the action had printed it. */
export function say(call: ActionCall, { emit }: Pick<Teller, 'emit'>, text: string): void {
  emit({ type: 'step-output', host: call.host, key: keyOf(call), stream: 'stdout', text: `${text}\n` });
}

function keyOf({ seq }: ActionCall): string {
  return `${seq}.0`;
}
