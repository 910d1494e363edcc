import { setMaxListeners } from 'node:events';
/** What the user's signals mean: each level goes on from the one before. */
export interface Interrupts {
  stop: AbortSignal;
  close: AbortSignal;
  /** Ctrl-C that did not come as a signal (a terminal in raw mode). */
  raise(): void;
  /** The run is over and is only to be told: that is not cut by the first signal that comes now, but by a second. */
  settle(): void;
  dispose(): void;
}

/**
 * Ctrl-C once: stop; twice: close; thrice: `onLeave`, which does not return. SIGTERM and SIGHUP count as the first
 * and never go further: an impatient supervisor must not cut a step that the user lets end.
 */
export function listenToSignals(onInterrupt: (count: number) => void, onLeave: () => void): Interrupts {
  const [stop, close] = [new AbortController(), new AbortController()];
  setMaxListeners(0, stop.signal, close.signal); // every host at work listens
  let [level, late] = [0, -1];
  const reach = (next: number) => {
    if (late >= 0) return ++late > 1 ? onLeave() : undefined;
    if (next <= level) return;
    level = next;
    if (level > 2) return onLeave();
    onInterrupt(level);
    stop.abort();
    if (level === 2) close.abort();
  };
  const raise = () => reach(level + 1);
  const once = () => reach(1);
  process.on('SIGINT', raise).on('SIGTERM', once).on('SIGHUP', once);
  return {
    stop: stop.signal,
    close: close.signal,
    raise,
    settle: () => {
      late = 0;
    },
    dispose: () => process.off('SIGINT', raise).off('SIGTERM', once).off('SIGHUP', once),
  };
}
