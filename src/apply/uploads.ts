import pLimit from 'p-limit';
import type { Identity } from '../core/identity.ts';
import type { Blob, Session } from '../core/session.ts';
import { BlobTree } from './blob-tree.ts';

/** What is sent at once over all hosts: more only makes each so slow that its host takes it for silence. */
const atOnce = 8;

/** Smaller ones are sent sooner than a host has another serve it. */
const worthHandingOn = 1024 * 1024;

export interface Upload {
  host: string;
  session: Session;
  identity: Identity;
  blob: Blob;
  /** It is not shown, so it does not go over the network in the clear either. */
  isSecret: boolean;
  signal: AbortSignal;
}

/** Files sent ahead to hosts: from here, or from host to host where the hosts name an address for it. */
export class Uploads {
  private readonly tree = new BlobTree();
  private readonly limit = pLimit(atOnce);
  private readonly addressOf: (host: string) => string | undefined;

  constructor(addressOf: (host: string) => string | undefined) {
    this.addressOf = addressOf;
  }

  async send({ host, session, identity, blob, isSecret, signal }: Upload): Promise<void> {
    const upload = () => this.limit(() => session.stage(identity, blob, () => {}, signal));
    const address = isSecret || blob.size < worthHandingOn ? undefined : this.addressOf(host);
    if (address === undefined) return upload();
    return this.tree.bring({ session, identity, blob, upload, signal }, address);
  }
}
