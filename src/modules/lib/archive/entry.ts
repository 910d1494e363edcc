/** One thing in an archive. */
export interface ArchiveEntry {
  /** As stored. */
  name: string;
  /** The same without `./` and a slash at the end, never absolute; '' is the destination itself. */
  path: string;
  kind: 'file' | 'directory' | 'link' | 'hard' | 'other';
  /** Permission bits. */
  mode: number;
  size: number;
  /** Whose it is by the archive; zips do not say. */
  owner?: StoredAccount;
  group?: StoredAccount;
  /** Files: lowercase hex of the content. */
  sha256?: string;
  /** Files: the content, when it is short UTF-8 text. */
  text?: string;
  /** Links: where they lead (of hard links the path in the archive). */
  target?: string;
}

/** A user or group as an archive stores it; a name of '' is none. */
export interface StoredAccount {
  name: string;
  id: number;
}

/** What cannot be read as an archive here; the message says why. */
export class ArchiveError extends Error {}

/** A stored name as a path below the destination, '' for that itself. Refuses ways out of it. */
export function entryPath(stored: string): string {
  const names = stored.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw new ArchiveError(`the archive holds ${stored}, which leads out of it`);
  return names.join('/');
}
