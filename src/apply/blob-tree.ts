import { randomBytes } from 'node:crypto';
import type { Identity } from '../core/identity.ts';
import type { Blob, Session } from '../core/session.ts';
import { Swarm, type Taker } from './swarm.ts';

/** A host that a blob is brought to. */
export interface BlobRequest {
  session: Pick<Session, 'serve' | 'pull'>;
  identity: Identity;
  blob: Blob;
  /** Sends it from here. */
  upload(): Promise<void>;
  signal: AbortSignal;
}

/** Times that a host tries to take a blob from others before it comes from here. */
const attempts = 4;

/**
 * Hands blobs from host to host: one that has a blob, or is getting it, serves it to two others, so that the controller
 * sends few copies however many hosts there are. Whatever goes wrong between hosts, the controller's upload is left.
 */
export class BlobTree {
  private readonly swarms = new Map<string, Swarm>();

  /** `address`: where this host serves, an address of its own or the name of an interface. */
  async bring(request: BlobRequest, address: string): Promise<void> {
    const { session, identity, blob, signal, upload } = request;
    const swarm = this.swarms.get(blob.sha256) ?? new Swarm();
    this.swarms.set(blob.sha256, swarm);
    const token = randomBytes(16).toString('hex');
    const served = await session.serve(identity, blob, address, token, signal);
    // Who cannot serve cannot take either: it would only give others a bad name.
    if (!served.at) return served.has ? undefined : upload();
    const taker = swarm.join({ ...served.at, token });
    try {
      // What is there from a run that was cut off is gone on with from here, where its beginning can be checked.
      if (!served.has) await (served.part ? fromHere(swarm, taker, request) : take(swarm, taker, request));
      swarm.completed(taker);
    } catch (error) {
      swarm.left(taker);
      throw error;
    }
  }
}

async function take(swarm: Swarm, taker: Taker, request: BlobRequest): Promise<void> {
  const { session, identity, blob, signal, upload } = request;
  let fresh = true;
  for (let tried = 0; ; tried++) {
    const source = await swarm.place(taker, tried < attempts ? undefined : 'controller');
    try {
      if (source === 'controller') return await upload();
      const { at, patience } = source;
      const pulled = await session.pull(identity, blob, { ...at, patience, fresh }, signal);
      if (pulled === 'done') return;
      swarm.failed(taker, source, pulled);
      fresh = pulled === 'wrong';
    } finally {
      swarm.released(taker);
    }
  }
}

async function fromHere(swarm: Swarm, taker: Taker, { upload }: BlobRequest): Promise<void> {
  await swarm.place(taker, 'controller');
  await upload().finally(() => swarm.released(taker));
}
