/**
 * What a step does to a host, typed, so that reducers can fold it into the World and a plan can go on after it.
 * A field left out is not touched; `unknown: why` in place of a field means "changed, to what is not known".
 */
export type Effect =
  | FilePut
  | { type: 'file.remove'; path: string }
  | { type: 'file.unknown'; path: string; why: string }
  | { type: 'unit.set'; unit: string; set: UnitChange }
  | { type: 'systemd.reload' }
  | { type: 'package.set'; name: string; version?: string; status: 'installed' | 'removed' }
  /** Opens the world: what was absent and not asserted since may now be there (engine rule 3). */
  | { type: 'world.open'; why: string }
  | { type: 'user.set'; name: string; set: Record<string, unknown> }
  | { type: 'user.remove'; name: string }
  | { type: 'group.set'; name: string; set: Record<string, unknown> }
  | { type: 'group.remove'; name: string }
  | { type: 'sysctl.set'; name: string; value: string }
  | { type: 'kmod.set'; name: string; loaded: boolean }
  /** Any single fact of a family without a reducer of its own. */
  | { type: 'fact.set'; family: string; id: string; value: unknown }
  | { type: 'fact.unknown'; family: string; id: string; why: string }
  /** Anything at all may have changed (command, shell, unarchive …). */
  | { type: 'opaque'; why: string };

export interface FilePut {
  type: 'file.put';
  path: string;
  kind: 'file' | 'directory' | 'link' | 'other';
  /** Octal permission bits as a number, 0o644. */
  mode?: number;
  owner?: string;
  group?: string;
  uid?: number;
  gid?: number;
  /** Lowercase hex of the content, when known. */
  sha256?: string;
  size?: number;
  /** Text content, when known and at most 256 KiB. */
  text?: string;
  /** It is known to be no text that could be shown; without both of them nobody knows yet. */
  notText?: 'long' | 'binary' | 'torn';
  target?: string;
  nlink?: number;
  /** Hard links: the file they share. */
  dev?: number;
  inode?: number;
}

export interface UnitChange {
  active?: 'active' | 'inactive' | 'unknown';
  enabled?: 'enabled' | 'disabled' | 'unknown';
  masked?: boolean;
  /** A restart: state may be the same afterwards, but the invocation is not. */
  invoked?: boolean;
}
