/** What a path under a unit directory means for units. */
export interface Touch {
  scope: 'system' | 'user';
  kind: 'fragment' | 'drop-in' | 'pull';
  /** Of two files of one name the higher rank wins. */
  rank: number;
  concerns(unit: string): boolean;
  /** Of a `.wants` or `.requires` link: the unit that pulls. */
  by?: string;
}

/** What writing or removing this path touches; undefined: nothing of systemd's. */
export function touchOf(path: string): Touch | undefined {
  const found = unitDirectory(path);
  if (!found) return undefined;
  const [first, second] = found.rest.split('/');
  if (!first) return undefined;
  if (first.endsWith('.d')) return { ...found, kind: 'drop-in', concerns: dropInConcerns(first.slice(0, -2)) };
  const by = /^(.*)\.(?:wants|requires|upholds)$/.exec(first)?.[1];
  if (by !== undefined) return second ? { ...found, kind: 'pull', concerns: (unit) => unit === second, by } : undefined;
  return second ? undefined : { ...found, kind: 'fragment', concerns: (unit) => matches(first, unit) };
}

/**
 * Whether the manager's picture may depend on this path (also on fstab and generators). Links that enable a unit do
 * not count: systemd does not call for a reload because of them either.
 */
export function concernsManager(path: string): boolean {
  const kind = touchOf(path)?.kind;
  return (
    kind === 'fragment' ||
    kind === 'drop-in' ||
    /^\/etc\/(fstab|crypttab)$/.test(path) ||
    /\/systemd\/(system|user)-generators(\/|$)/.test(path)
  );
}

const directories: [path: RegExp, scope: Touch['scope'], rank: number][] = [
  [/^\/etc\/systemd\/system\.control\//, 'system', 6],
  [/^\/run\/systemd\/system\.control\//, 'system', 6],
  [/^\/etc\/systemd\/system\//, 'system', 5],
  [/^\/run\/systemd\/system\//, 'system', 4],
  [/^\/usr\/local\/lib\/systemd\/system\//, 'system', 3],
  [/^(?:\/usr)?\/lib\/systemd\/system\//, 'system', 2],
  [/^\/(?:home\/[^/]+|root)\/\.config\/systemd\/user\//, 'user', 6],
  [/^\/etc\/systemd\/user\//, 'user', 5],
  [/^\/run\/systemd\/user\//, 'user', 4],
  [/^\/usr\/local\/lib\/systemd\/user\//, 'user', 3],
  [/^(?:\/usr)?\/lib\/systemd\/user\//, 'user', 2],
];

function unitDirectory(path: string): { scope: Touch['scope']; rank: number; rest: string } | undefined {
  for (const [pattern, scope, rank] of directories) {
    const found = pattern.exec(path);
    if (found) return { scope, rank, rest: path.slice(found[0].length) };
  }
  return undefined;
}

/** `foo@.service` is the file of every `foo@x.service`. */
function matches(file: string, unit: string): boolean {
  return file === unit || (file.includes('@.') && templateOf(unit) === file);
}

function templateOf(unit: string): string {
  return unit.replace(/@[^@]*(?=\.[^.]+$)/, '@');
}

/** Drop-in directories are also shared: by type (`service.d`), by prefix (`foo-.service.d`) and by template. */
function dropInConcerns(owner: string): (unit: string) => boolean {
  return (unit) => {
    const type = unit.slice(unit.lastIndexOf('.') + 1);
    if (owner === unit || owner === type || matches(owner, unit)) return true;
    const prefix = /^(.*-)\.([a-z]+)$/.exec(owner);
    return prefix !== null && prefix[2] === type && unit.startsWith(prefix[1]!);
  };
}
