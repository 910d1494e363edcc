/** An image in a registry, in the words that docker and containerd take. */
export interface ImageReference {
  registry: string;
  name: string;
  tag?: string;
  /** `sha256:…`, which wins over the tag. */
  digest?: string;
}

const pattern =
  /^([a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?|localhost(?::\d+)?)\/([a-z0-9._/-]+?)(?::([\w.-]+))?(?:@(sha256:[0-9a-f]{64}))?$/;

/** REGISTRY/NAME:TAG or @DIGEST; undefined for anything else, paths of archives among them. */
export function imageReference(source: string): ImageReference | undefined {
  const [, registry, name, tag, digest] = pattern.exec(source) ?? [];
  if (!registry || !name || /\.(tar|tgz|gz|zst)$/.test(source)) return undefined;
  return { registry, name, ...(tag ? { tag } : {}), ...(digest ? { digest } : {}) };
}
