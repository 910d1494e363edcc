import type { Release } from './release.ts';

/**
 * A version as people and programs write it: `v1.20.2`, `1.20.2+k3s1`, `1.20` (its patch release does not matter
 * here), `Kubernetes v1.20.2`, `v1.31.0-rc.1`. Undefined: that is none.
 */
export function lenientRelease(text: string): Release | undefined {
  const found =
    /^(?:Kubernetes |Client Version: )?v?(\d+)\.(\d+)\+?(?:\.(\d+))?(-[0-9A-Za-z.-]+)?(?:\+[\w.+-]*)?$/.exec(
      text.trim(),
    );
  if (!found) return undefined;
  const [, major, minor, patch, pre = ''] = found;
  const numbers = { major: Number(major), minor: Number(minor), patch: Number(patch ?? 0) };
  return { ...numbers, text: `v${numbers.major}.${numbers.minor}${patch === undefined ? '' : `.${patch}`}${pre}` };
}

/** Negative: `a` is older. A pre-release comes before its release; pre-releases compare as semver has it. */
export function compareReleases(a: Release, b: Release): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch || comparePre(preOf(a), preOf(b));
}

function preOf({ text }: Release): string[] {
  const at = text.indexOf('-');
  return at < 0 ? [] : text.slice(at + 1).split('.');
}

function comparePre(a: string[], b: string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [at, part] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    if (part === other) continue;
    return comparePart(part, other);
  }
  return a.length - b.length;
}

function comparePart(a: string, b: string): number {
  const [first, second] = [a, b].map((part) => /^\d+$/.test(part));
  if (first && second) return Number(a) - Number(b);
  if (first !== second) return first ? -1 : 1;
  return a < b ? -1 : 1;
}
