import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { readKnown } from './read.ts';

/** Programs that a source on the controller holds: asked there, not on a host. */
export interface PayloadQuery {
  /**
   * Path on the controller: a folder, a tarball, a single file; for images a docker-archive or OCI layout. Of kind
   * `registry` the reference of an image.
   */
  source: string;
  kind: 'files' | 'image' | 'registry';
  names: string[];
}

export interface PayloadFile {
  /** On the controller. */
  path: string;
  /** Lowercase hex. */
  sha256: string;
  size: number;
  /** The same under gzip, which is what is sent. */
  packed?: PayloadFile;
}

export interface PayloadFact {
  /** Why the source cannot be used. */
  problem?: string;
  files?: Record<string, PayloadFile>;
  /** Images: how their binaries lie in them, and the digest of their configuration. */
  layout?: 'binaries' | 'hyperkube';
  digest?: string;
}

export function payload(world: WorldView, query: PayloadQuery): PayloadFact {
  return readKnown<PayloadFact>(world, 'payload', payloadKey(query).id);
}

export function payloadKey({ source, kind, names }: PayloadQuery): FactKey {
  return { family: 'payload', id: JSON.stringify({ source, kind, names }) };
}

export const payloadFamily: FactFamily<PayloadFact> = {
  name: 'payload',
  onController: true,
  guarded: false,
  script: (keys) => {
    throw new Error(`${keys[0]?.id} was asked of a host`);
  },
  parse: (record) => ({ state: 'known', raw: '', value: JSON.parse(record) as PayloadFact }),
};
