import { createHash, randomBytes } from 'node:crypto';
import type { RandomSource } from '../resolve/random-places.ts';

/**
 * The random bytes of a run. Each place has a stream of its own (SHA-256 of the seed, the place and a counter), which
 * begins anew whenever it is asked for: plan and apply of one run draw the same.
 */
export function seededRandom(seed: Uint8Array = randomBytes(32)): (place: string) => RandomSource {
  return (place) => {
    let rest = Buffer.alloc(0);
    let block = 0;
    return (count) => {
      while (rest.length < count) rest = Buffer.concat([rest, blockOf(seed, place, block++)]);
      const taken = rest.subarray(0, count);
      rest = rest.subarray(count);
      return taken;
    };
  };
}

function blockOf(seed: Uint8Array, place: string, block: number): Buffer {
  return createHash('sha256').update(seed).update(`${block}\n${place}`).digest();
}
