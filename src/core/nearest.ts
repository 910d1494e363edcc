import { distance } from 'fastest-levenshtein';

/** The candidate most like a name, when one is like it at all (a third of its letters may differ). */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.floor(name.length / 3) + 1;
  let best: { candidate: string; far: number } | undefined;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) > limit) continue;
    const far = apart(name.toLowerCase(), candidate.toLowerCase());
    if (far < limit && far < (best?.far ?? limit)) best = { candidate, far };
  }
  return best?.candidate;
}

/** Edit distance; two neighbours that changed places are one slip, not two. */
function apart(a: string, b: string): number {
  const plain = distance(a, b);
  return plain === 2 && a.length === b.length && isSwap(a, b) ? 1 : plain;
}

function isSwap(a: string, b: string): boolean {
  const at = [...a].findIndex((letter, i) => letter !== b[i]);
  return a[at] === b[at + 1] && a[at + 1] === b[at];
}
