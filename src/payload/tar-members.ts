import { open } from 'node:fs/promises';
import { PayloadError } from './problem.ts';

/** Where the content of each member lies in an uncompressed tar file, links of docker-archives resolved. */
export type Members = ReadonlyMap<string, { start: number; size: number }>;

/** A header about names that is longer is none. */
const longestName = 1024 * 1024;

/**
 * Reads the headers only and skips what lies between: an archive of gigabytes costs a few reads. Old docker writes a
 * layer that it has twice as a link to the first.
 */
export async function membersOf(path: string): Promise<Members> {
  const file = await open(path);
  const members = new Map<string, { start: number; size: number }>();
  try {
    const { size: end } = await file.stat();
    for (let at = 0, longName: string | undefined; at + 512 <= end; ) {
      const header = (await file.read(Buffer.alloc(512), 0, 512, at)).buffer;
      if (header.every((byte) => byte === 0)) break;
      const entry = parsed(header, path);
      const start = at + 512;
      at = start + Math.ceil(entry.size / 512) * 512;
      if (at > end + 511) throw new PayloadError(`${path} is cut off in ${entry.name}`);
      if (entry.type === 'L' || entry.type === 'x') {
        if (entry.size > longestName) throw new PayloadError(`${path} holds a name of ${entry.size} bytes`);
        longName =
          nameIn((await file.read(Buffer.alloc(entry.size), 0, entry.size, start)).buffer, entry.type) ?? longName;
        continue;
      }
      const name = clean(longName ?? entry.name);
      longName = undefined;
      const target = members.get(clean(`${name.replace(/[^/]*$/, '')}${entry.link}`)) ?? members.get(clean(entry.link));
      if (entry.type === '0' || entry.type === '\0') members.set(name, { start, size: entry.size });
      else if ((entry.type === '1' || entry.type === '2') && target) members.set(name, target);
    }
    return members;
  } finally {
    await file.close();
  }
}

function parsed(header: Buffer, path: string) {
  const text = (from: number, length: number) =>
    header
      .subarray(from, from + length)
      .toString('utf8')
      .replace(/\0[\s\S]*$/, '');
  if (text(257, 5) !== 'ustar') throw new PayloadError(`${path} is no tar file`);
  const prefix = text(345, 155);
  return {
    name: prefix ? `${prefix}/${text(0, 100)}` : text(0, 100),
    size: sizeOf(header.subarray(124, 136), path),
    type: String.fromCharCode(header[156]!),
    link: text(157, 100),
  };
}

/** Octal text, or binary with the highest bit set where that is too short. */
function sizeOf(field: Buffer, path: string): number {
  if (field[0]! & 0x80) return Number(field.readBigUInt64BE(4));
  const digits = field.toString('latin1').replace(/[\0 ]/g, '');
  // A size below nothing would lead back to the same header for ever.
  if (!/^[0-7]*$/.test(digits)) throw new PayloadError(`${path} is no tar file: '${digits}' is no size`);
  return Number.parseInt(digits || '0', 8);
}

/** The name in a GNU long-name member or in a pax header. */
function nameIn(content: Buffer, type: string): string | undefined {
  if (type === 'L') return content.toString('utf8').replace(/\0+$/, '');
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(content.toString('utf8'))?.[1];
}

/** `./a/../b` → `b`. */
export function clean(name: string): string {
  const parts: string[] = [];
  for (const part of name.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
