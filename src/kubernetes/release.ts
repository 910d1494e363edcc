import { parse } from 'semver';

/** A Kubernetes release as the tables compare it. */
export interface Release {
  major: number;
  minor: number;
  patch: number;
  /** `v1.20.2`. */
  text: string;
}

/** The first release whose kubelet takes its configuration from a file of a served API version. */
export const oldest = '1.10';

/** Reads `v1.20.2` or `1.20.2`; undefined when that is no release. */
export function releaseOf(text: string): Release | undefined {
  const found = parse(text.replace(/^v/, ''));
  return found ? { major: found.major, minor: found.minor, patch: found.patch, text: `v${found.version}` } : undefined;
}

/** Whether `release` is of the minor version `minor` (`1.24`) or a later one. */
export function reaches(release: Release, minor: string): boolean {
  const [majorPart = 0, minorPart = 0] = minor.split('.').map(Number);
  return release.major > majorPart || (release.major === majorPart && release.minor >= minorPart);
}
