/**
 * Entries in the order in which Python walks a tree: of each directory first its files, then its directories, then
 * what is in those, one after another. `entries` come depth first, as find lists them.
 */
export function walkOrder<T extends { path: string; kind: string }>(entries: readonly T[]): T[] {
  const rank = new Map<string, number>();
  for (const { path } of entries) for (const above of ancestors(path)) if (!rank.has(above)) rank.set(above, rank.size);
  const position = new Map(entries.map((entry, i) => [entry, i]));
  return [...entries].sort((a, b) => compare(a, b, rank) || position.get(a)! - position.get(b)!);
}

function ancestors(path: string): string[] {
  const names = path.split('/');
  return names.slice(0, -1).map((_, i) => names.slice(0, i + 1).join('/'));
}

function compare<T extends { path: string; kind: string }>(a: T, b: T, rank: Map<string, number>): number {
  const [above, below] = [ancestors(a.path), ancestors(b.path)];
  for (let i = 0; i < Math.max(above.length, below.length); i++) {
    if (above[i] === undefined) return -1;
    if (below[i] === undefined) return 1;
    if (above[i] !== below[i]) return rank.get(above[i]!)! - rank.get(below[i]!)!;
  }
  return Number(a.kind === 'directory') - Number(b.kind === 'directory');
}
