import type { Io, Terminal } from './io.ts';

/** Where a command writes. After a reader went away (`| head -1`, a closed terminal) writing does nothing. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
  /** Makes the command end with this exit code. */
  fail(exit: number): void;
  /** The exit code so asked for; 0: none. */
  failed(): number;
  /** Whether someone still reads stdout. */
  isRead(): boolean;
  /** Resolves when all that was written has left the process. */
  flush(): Promise<void>;
}

/** `veil` takes secrets out of whatever is written. */
export function createOutput(io: Io, veil: (text: string) => string = (text) => text): Output {
  const gone = new Set<Terminal>();
  const watch = (stream: Terminal) =>
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!isClosed(error)) throw error;
      gone.add(stream);
    });
  watch(io.stdout);
  watch(io.stderr);
  const write = (stream: Terminal, text: string) => {
    if (!gone.has(stream) && text !== '') stream.write(veil(text));
  };
  const drained = (stream: Terminal) =>
    new Promise<void>((done) => (gone.has(stream) ? done() : stream.write('', () => done())));
  let exit = 0;
  return {
    fail: (code) => {
      exit = code;
    },
    failed: () => exit,
    out: (text) => write(io.stdout, text),
    err: (text) => write(io.stderr, text),
    isRead: () => !gone.has(io.stdout),
    flush: async () => {
      await Promise.all([drained(io.stdout), drained(io.stderr)]);
    },
  };
}

/** EIO: the terminal itself is gone, after a hangup. */
function isClosed(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EPIPE' || error.code === 'EIO' || error.code === 'ERR_STREAM_DESTROYED';
}
