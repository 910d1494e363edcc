import type { RunEvent } from '../core/events.ts';
import type { RunControl, RunOptions } from '../core/options.ts';

/** The whole run as the CLI calls it (src/kpush.ts). */
export type Run = (
  options: RunOptions,
  sink: (event: RunEvent) => void,
  control: RunControl,
) => Promise<{ exit: number }>;

/** The process as the CLI sees it; tests hand in another. */
export interface Io {
  env: Record<string, string | undefined>;
  cwd: string;
  stdin: NodeJS.ReadStream;
  stdout: Terminal;
  stderr: Terminal;
  /** Loaded only by the commands that work on hosts. */
  loadRun(): Promise<Run>;
}

export type Terminal = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns' | 'rows' | 'on' | 'off' | 'once'>;
