import type { EventEmitter } from 'node:events';

/**
 * Node ends with 0 when nothing is left that could wake it, whatever was still awaited: a run that waits for itself
 * must not look like one that is done. Not told in a process that is ended by `exit`.
 */
export function failWhenStuck(
  process: Pick<EventEmitter, 'once'> & { exitCode?: unknown },
  tell: (text: string) => void,
): void {
  process.once('beforeExit', () => {
    tell('kpush: internal error: the run has not ended, and nothing is left that it could wait for\n');
    process.exitCode = 1;
  });
}
