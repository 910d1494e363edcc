import { createInterface } from 'node:readline';
import type { Io } from './io.ts';

/** Asks on stderr, reads a line from the terminal. undefined: the input ended or `signal` came first. */
export function askLine(io: Io, text: string, signal: AbortSignal): Promise<string | undefined> {
  io.stderr.write(text);
  const reader = createInterface({ input: io.stdin, terminal: false });
  return new Promise((resolve) => {
    const done = (answer?: string) => {
      resolve(answer); // first: closing tells the end of input
      signal.removeEventListener('abort', cancel);
      reader.close();
      io.stdin.pause();
    };
    const cancel = () => done();
    reader.once('line', done).once('close', cancel);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
  });
}

/** The same without echo. Raw mode swallows Ctrl-C, so it is handed to `interrupt`. */
export function askSecret(
  io: Io,
  text: string,
  signal: AbortSignal,
  interrupt: () => void,
): Promise<string | undefined> {
  if (!io.stdin.isTTY) return askLine(io, text, signal);
  io.stdin.setRawMode(true); // before the prompt: what is typed in answer to it must not be echoed
  io.stderr.write(text);
  return new Promise((resolve) => {
    let typed = '';
    const done = (answer?: string) => {
      signal.removeEventListener('abort', cancel);
      io.stdin.off('data', read).setRawMode(false).pause();
      io.stderr.write('\n');
      resolve(answer);
    };
    const cancel = () => done();
    const read = (data: Buffer) => {
      for (const key of data.toString('utf8')) {
        if (key === '\r' || key === '\n') return done(typed);
        if (key === '\x03') return interrupt();
        if (key === '\x04') return done(typed === '' ? undefined : typed);
        typed = key === '\x7f' || key === '\b' ? typed.slice(0, -1) : key === '\x15' ? '' : typed + key;
      }
    };
    io.stdin.on('data', read).resume();
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
  });
}
