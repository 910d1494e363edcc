import { parse } from 'semver';
import { TaskFailure } from '../../core/result.ts';

/** A reference to an image in a registry: REGISTRY/NAME:TAG or @DIGEST, and no path of a file. */
export function registryReference(source: string): { registry: string; name: string; tag?: string } | undefined {
  const found =
    /^([a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?|localhost(?::\d+)?)\/([a-z0-9._/-]+?)(?::([\w.-]+))?(?:@sha256:[0-9a-f]{64})?$/.exec(
      source,
    );
  if (!found || /\.(tar|tgz|gz|zst)$/.test(source)) return undefined;
  return { registry: found[1]!, name: found[2]!, ...(found[3] ? { tag: found[3] } : {}) };
}

/** Upstream's images ended with 1.18 (kubernetes#88676): waiting for a pull of a later one would never end. */
export function refuseUnpublished({ source, version }: { source: string; version: string }): void {
  const reference = registryReference(source);
  const release = parse((reference?.tag ?? version).replace(/^v/, '')) ?? parse(version.replace(/^v/, ''));
  if (!reference || !upstream.test(`${reference.registry}/${reference.name}`) || !release) return;
  if (release.major > 1 || release.minor >= 19)
    throw new TaskFailure(
      `there is no hyperkube image of v${release.version}: upstream published none from 1.19 on`,
      {},
      'take the programs from a release with kube_binaries (src or url)',
    );
}

const upstream =
  /^(?:(?:k8s\.)?gcr\.io\/(?:google[-_]containers\/)?|registry\.k8s\.io\/)hyperkube(?:-(?:amd64|arm64|arm|ppc64le|s390x))?$/;
