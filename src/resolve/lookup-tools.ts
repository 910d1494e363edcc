import type { Origin } from '../core/origin.ts';
import type { Unknown } from '../jinja/values.ts';

/** Who asks for a lookup. */
export interface LookupAsker {
  host: string;
  /** The task's id; the play's where no task asks. */
  task: string;
  origin: Origin;
}

/** What lookups may do beyond reading files. All absent: such a lookup is an error that says so. */
export interface LookupTools {
  /** Runs a shell command on the controller in `cwd` (a declared probe); Unknown where probes are off. */
  run?(command: string, cwd: string, asker: LookupAsker): { rc: number; stdout: string; problem?: string } | Unknown;
  /** Keeps a generated password in a file of the controller: a change; Unknown while planning. */
  savePassword?(path: string, content: string, asker: LookupAsker): string | Unknown;
  /** The controller's environment. Default: empty. */
  env?: Readonly<Record<string, string | undefined>>;
}
