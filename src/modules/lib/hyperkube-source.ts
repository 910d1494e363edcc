import { parse } from 'semver';
import { imageReference } from '../../core/image-reference.ts';
import { TaskFailure } from '../../core/result.ts';

/** Upstream's images ended with 1.18 (kubernetes#88676): waiting for a pull of a later one would never end. */
export function refuseUnpublished(given: { source: string; version: string }): void {
  if (!isUnpublished(given)) return;
  throw new TaskFailure(
    `there is no hyperkube image of v${releaseOf(given)?.version}: upstream published none from 1.19 on`,
    {},
    'take the programs from a release with kube_binaries (src or url)',
  );
}

export function isUnpublished(given: { source: string; version: string }): boolean {
  const reference = imageReference(given.source);
  if (!reference || !upstream.test(`${reference.registry}/${reference.name}`)) return false;
  const release = releaseOf(given);
  return release !== null && (release.major > 1 || release.minor >= 19);
}

function releaseOf({ source, version }: { source: string; version: string }) {
  return parse((imageReference(source)?.tag ?? version).replace(/^v/, '')) ?? parse(version.replace(/^v/, ''));
}

const upstream =
  /^(?:(?:k8s\.)?gcr\.io\/(?:google[-_]containers\/)?|registry\.k8s\.io\/)hyperkube(?:-(?:amd64|arm64|arm|ppc64le|s390x))?$/;
