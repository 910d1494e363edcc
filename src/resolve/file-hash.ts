import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, type Stats } from 'node:fs';
import type { Sources } from '../load/sources.ts';

/**
 * The sha256 of a controller file's bytes, decrypted where it is a vault file; lowercase hex. It is wanted for a question
 * and for a plan, ahead and in its turn, for host after host, so it is kept for as long as the file stays what it was:
 * `stats` tell. Throws as reading does.
 */
export function fileSha256(path: string, stats: Stats, sources: Sources): string {
  const { dev, ino, size, mtimeMs, ctimeMs } = stats;
  const state = `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  const known = keptOf(sources).get(path);
  if (known?.state === state) return known.sha256;
  const sha256 = (size > pieceSize ? ofPieces(path) : undefined) ?? ofBytes(sources.bytes(path));
  keptOf(sources).set(path, { state, sha256 });
  return sha256;
}

type Kept = Map<string, { state: string; sha256: string }>;
const keptBy = new WeakMap<Sources, Kept>();

function keptOf(sources: Sources): Kept {
  const kept = keptBy.get(sources) ?? new Map();
  keptBy.set(sources, kept);
  return kept;
}

const pieceSize = 1024 * 1024;
const vaultStart = '$ANSIBLE_VAULT';

/** A file of hundreds of megabytes is not held in memory for it. Undefined: it is a vault file. */
function ofPieces(path: string): string | undefined {
  const file = openSync(path, 'r');
  try {
    const hash = createHash('sha256');
    const piece = Buffer.allocUnsafeSlow(pieceSize);
    for (let at = 0; ; ) {
      const size = readSync(file, piece, 0, pieceSize, at);
      if (at === 0 && piece.toString('latin1', 0, vaultStart.length) === vaultStart) return undefined;
      if (size === 0) return hash.digest('hex');
      hash.update(piece.subarray(0, size));
      at += size;
    }
  } finally {
    closeSync(file);
  }
}

function ofBytes(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
