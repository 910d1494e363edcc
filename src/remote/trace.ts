import { appendFileSync } from 'node:fs';

export type Trace = (what: string, bytes: string | Buffer) => void;

/**
 * For debugging kpush itself: KPUSH_TRACE=FILE gets everything sent and received, secrets included, so the file is
 * made with mode 0600.
 */
export function traceTo(file: string | undefined, host: string): Trace {
  if (!file) return () => {};
  return (what, bytes) => {
    const head = `--- ${new Date().toISOString()} ${host} ${what} ${bytes.length}\n`;
    appendFileSync(file, Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from('\n')]), { mode: 0o600 });
  };
}
