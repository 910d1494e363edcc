import { distance } from 'fastest-levenshtein';

/** The candidate most like a name, when one is like it at all (a third of its letters may differ). */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.floor(name.length / 3) + 1;
  return [...candidates]
    .map((candidate) => ({ candidate, far: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, far }) => candidate !== name && far < limit)
    .sort((a, b) => a.far - b.far)[0]?.candidate;
}
