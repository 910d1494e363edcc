import type { FactKey } from '../../core/facts.ts';
import type { WorldView } from '../../core/module.ts';
import { TaskFailure } from '../../core/result.ts';
import { type Algorithm, algorithms } from '../../world/digest.ts';
import { fetched, fetchedKey } from '../../world/fetched.ts';

export interface Checksum {
  algorithm: Algorithm;
  /** Lowercase hex. */
  hex: string;
}

/** The checksum when `ALGORITHM:HEX` says it at once. */
export function plainChecksum(written: string | undefined): Checksum | undefined {
  const parts = split(written);
  return parts && !isUrl(parts.value) ? literal(parts) : undefined;
}

/** What must be fetched to know it: the file behind `ALGORITHM:URL`. */
export function checksumKeys(written: string | undefined): FactKey[] {
  const parts = split(written);
  return parts && isUrl(parts.value) ? [fetchedKey(parts.value)] : [];
}

/** The checksum, looked up in the file behind its URL by the name that `url` ends with. */
export function checksumOf(written: string | undefined, url: string, world: WorldView): Checksum | undefined {
  const parts = split(written);
  if (!parts) return undefined;
  if (!isUrl(parts.value)) return literal(parts);
  const file = fetched(world, parts.value);
  if (!file.ok) throw new TaskFailure(`Unable to fetch the checksums at ${parts.value}: ${file.error}`);
  return literal({ ...parts, value: lookUp(file.text, nameOf(url), parts.value) });
}

/** The last name of a URL's path, as the file to save it in. */
export function nameOf(url: string): string {
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? url;
  return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1)) || 'index.html';
}

function split(written: string | undefined): { algorithm: string; value: string } | undefined {
  if (written === undefined || written.trim() === '') return undefined;
  const found = /^([A-Za-z0-9]+):(.+)$/s.exec(written.trim());
  if (!found) throw badForm(written);
  return { algorithm: found[1]!.toLowerCase(), value: found[2]!.trim() };
}

function literal({ algorithm, value }: { algorithm: string; value: string }): Checksum {
  const hex = value.replace(/\W/g, '').toLowerCase();
  if (!/^[0-9a-f]+$/.test(hex)) throw badForm(`${algorithm}:${value}`);
  if (algorithms.includes(algorithm as Algorithm)) return { algorithm: algorithm as Algorithm, hex };
  throw new TaskFailure(`the checksum algorithm ${algorithm} is not known`, {}, `one of: ${algorithms.join(', ')}`);
}

function badForm(written: string): TaskFailure {
  return new TaskFailure(`The checksum parameter has to be in format <algorithm>:<checksum>, not ${written}`);
}

function isUrl(value: string): boolean {
  return /^(https?|ftp|file):\/\//.test(value);
}

/** A file of one bare sum, or lines `SUM  NAME` (also `SUM *NAME`, `NAME: SUM`, `SHA256 (NAME) = SUM`). */
function lookUp(text: string, name: string, url: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 1 && /^\s*[0-9a-fA-F]+\s*$/.test(lines[0]!)) return lines[0]!.trim();
  for (const line of lines) {
    const found =
      /^\\?([0-9a-fA-F]{32,})\s+\*?(.+?)\s*$/.exec(line) ??
      swapped(/^(?:\w+ \()?(.+?)\)?\s*[:=]\s*([0-9a-fA-F]{32,})\s*$/.exec(line));
    if (found && found[2]!.replace(/^.*\//, '') === name) return found[1]!;
  }
  throw new TaskFailure(`Unable to find a checksum for file '${name}' in '${url}'`);
}

function swapped(found: RegExpExecArray | null): [string, string, string] | undefined {
  return found ? [found[0], found[2]!, found[1]!] : undefined;
}
