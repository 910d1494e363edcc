import type { Wanted } from './attributes.ts';

/** Parameters of the file module that its states read. */
export interface FileParams extends Wanted {
  path: string;
  src?: string | undefined;
  state?: string | undefined;
  recurse: boolean;
  force: boolean;
  follow: boolean;
  modification_time?: string | undefined;
  access_time?: string | undefined;
}
