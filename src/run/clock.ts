/** Time as the run sees it; an interrupt ends every sleep. */
export function sleeper(stop: AbortSignal) {
  return {
    now: () => Date.now(),
    stopped: () => stop.aborted,
    sleep: (seconds: number) =>
      new Promise<void>((resolve) => {
        if (stop.aborted || seconds <= 0) return resolve();
        const done = () => {
          clearTimeout(timer);
          stop.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, seconds * 1000);
        stop.addEventListener('abort', done);
      }),
  };
}
