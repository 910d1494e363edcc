import { distance } from 'fastest-levenshtein';

/** The candidate most like a name, when one is like it at all (a third of its letters may differ, but one always). */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const d = difference(name.toLowerCase(), candidate.toLowerCase());
    if (d < bestDistance) [best, bestDistance] = [candidate, d];
  }
  return best;
}

/** Levenshtein's distance, but two letters that changed places are one slip. */
function difference(a: string, b: string): number {
  const d = distance(a, b);
  return d === 2 && sorted(a) === sorted(b) ? 1 : d;
}

const sorted = (text: string) => [...text].sort().join('');
