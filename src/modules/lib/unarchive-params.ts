import type { Wanted } from './attributes.ts';

/** Parameters of unarchive. */
export interface UnarchiveParams extends Wanted {
  src: string;
  dest: string;
  remote_src: boolean;
  creates?: string | undefined;
  list_files: boolean;
  exclude: string[];
  include: string[];
  keep_newer: boolean;
  extra_opts: string[];
  validate_certs: boolean;
}
