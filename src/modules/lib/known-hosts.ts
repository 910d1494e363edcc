import { createHmac } from 'node:crypto';
import { wildcards } from '../../core/wildcards.ts';

/** A line of a known_hosts file that names a host, with its place from 0. */
export interface HostLine {
  index: number;
  marker: string;
  type: string;
  key: string;
}

/** The lines whose host is, or hashes, `name`; patterns and lists count as ssh-keygen -F counts them. */
export function linesOf(text: string, name: string): HostLine[] {
  return text.split('\n').flatMap((line, index) => {
    const [marker, hosts, type = '', key = ''] = partsOf(line);
    return hosts !== undefined && names(hosts, name) ? [{ index, marker, type, key }] : [];
  });
}

/** Marker (`@revoked`, or ''), hosts, type and key of a line; no hosts for blank lines and comments. */
export function partsOf(line: string): [marker: string, hosts?: string, type?: string, key?: string] {
  const words = line.trim().split(/\s+/);
  if (words[0] === '' || words[0]!.startsWith('#')) return [''];
  const [first = '', ...rest] = words;
  return first.startsWith('@') ? [first, rest[0], rest[1], rest[2]] : ['', first, rest[0], rest[1]];
}

/** The line with its host hashed, as HashKnownHosts does. `salt`: 20 bytes. */
export function hashed(line: string, name: string, salt: Buffer): string {
  const words = line.trim().split(/\s+/);
  words[words[0]!.startsWith('@') ? 1 : 0] = `|1|${salt.toString('base64')}|${digest(salt, name)}`;
  return words.join(' ');
}

function names(hosts: string, name: string): boolean {
  const found = /^\|1\|([^|]+)\|(.+)$/.exec(hosts);
  if (found) return digest(Buffer.from(found[1]!, 'base64'), name) === found[2];
  const patterns = hosts.toLowerCase().split(',');
  if (patterns.some((pattern) => pattern.startsWith('!') && wildcards(pattern.slice(1)).test(name))) return false;
  return patterns.some((pattern) => wildcards(pattern).test(name));
}

function digest(salt: Buffer, name: string): string {
  return createHmac('sha1', salt).update(name).digest('base64');
}
