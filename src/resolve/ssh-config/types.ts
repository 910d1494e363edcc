import type { Origin } from '../../core/origin.ts';
import type { SourceFiles } from '../../load/files.ts';
import type { ConfigLine } from './lines.ts';

/** Who is to be reached: what a command line would say. */
export interface Wanted {
  host: string;
  user?: string;
  port?: number;
}

/** What lines in force say, by keyword in lower case. */
export type Found = Map<string, { values: string[]; origin: Origin }>;

export interface MatchSettings {
  /** The folder of the user who runs kpush. */
  home: string;
  localUser: string;
  /** Absent: there is none. */
  userFile?: string;
  systemFile?: string;
  files: Pick<SourceFiles, 'kind' | 'list'>;
  /** The lines of a file; none where there is no such file. */
  lines(path: string, from?: Origin): ConfigLine[];
  /** Runs the command of `Match exec`; true: it exits with 0. Absent: such a line is refused where it would run. */
  exec?(command: string): boolean;
  env: Readonly<Record<string, string | undefined>>;
}
