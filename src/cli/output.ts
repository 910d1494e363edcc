import type { Io, Terminal } from './io.ts';

/**
 * Where a command writes. After a reader went away (`| head -1`, a closed terminal) writing does nothing, nor after an
 * error, which makes the command end with 1.
 */
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

/** Streams whose loss was told: a command may have more than one Output on the same. */
const told = new WeakSet<Terminal>();

/** `veil` takes secrets out of whatever is written. */
export function createOutput(io: Io, veil: (text: string) => string = (text) => text): Output {
  let exit = 0;
  const gone = new Set<Terminal>();
  const watch = (stream: Terminal) =>
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (gone.has(stream)) return;
      gone.add(stream);
      if (!isClosed(error)) lose(stream, error);
    });
  /** A log on a full disk is no reason to leave a host in the middle of its work. */
  const lose = (stream: Terminal, error: Error) => {
    exit ||= 1;
    if (stream !== io.stdout || told.has(stream)) return;
    told.add(stream);
    write(io.stderr, `error: the output cannot be written, the rest of it is lost: ${error.message}\n`);
  };
  watch(io.stdout);
  watch(io.stderr);
  const write = (stream: Terminal, text: string) => {
    if (!gone.has(stream) && text !== '') stream.write(veil(text));
  };
  const drained = (stream: Terminal) =>
    new Promise<void>((done) => (gone.has(stream) ? done() : stream.write('', () => done())));
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
