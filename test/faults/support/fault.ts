import type { Scene } from './scene.ts';

/** A row of the table of faults. */
export interface Fault {
  /** What is injected. */
  fault: string;
  when: string;
  /** What the host, or the controller, is afterwards; checked by `observe` and by what every row is checked for. */
  seen: string;
  /** kpush's exit code, or the signal that ended it. */
  exit: number | NodeJS.Signals;
  /** Found in what kpush said; null where it could say nothing. */
  says: RegExp | null;
  /** Tasks of the run; default: a file, a shell step that waits, a line. */
  tasks?: unknown[];
  vars?: Record<string, unknown>;
  /** Variables of the next runs, where those were the fault. */
  mended?: Record<string, unknown>;
  env?: Record<string, string>;
  /** The host before kpush begins. */
  before?(on: Scene): Promise<unknown>;
  /** Runs when the step "wait" runs on the host; absent: nothing waits. */
  inject?(on: Scene): Promise<unknown>;
  /** What the operator mends before the next run. */
  heal?(on: Scene): Promise<unknown>;
  observe?(on: Scene): Promise<unknown>;
  /** Seconds for kpush to end after what was injected; default 30. */
  within?: number;
  /** In `npm test` too. */
  fast?: boolean;
  /** Another way to start kpush; the last word of `words` is the playbook. */
  start?(program: string, words: string[]): string[];
}
