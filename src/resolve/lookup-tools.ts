import type { Unknown } from '../jinja/values.ts';

/** What lookups may do beyond reading files. All absent: such a lookup is an error that says so. */
export interface LookupTools {
  /** Runs a shell command on the controller in `cwd` (a declared probe); Unknown where probes are off. */
  run?(command: string, cwd: string): { rc: number; stdout: string } | Unknown;
  /** Keeps a generated password in a file of the controller: a change; Unknown while planning. */
  savePassword?(path: string, content: string): string | Unknown;
  /** The controller's environment. Default: empty. */
  env?: Readonly<Record<string, string | undefined>>;
}
