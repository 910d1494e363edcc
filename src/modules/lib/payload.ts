import { createHash } from 'node:crypto';
import type { FilePut } from '../../core/effects.ts';
import type { ControllerFile } from '../../core/module.ts';
import type { Content } from '../../core/steps.ts';
import { Unknown, type Value } from '../../jinja/values.ts';
import { textLimit } from '../../world/content.ts';

/** Bytes that shall stand in a file. */
export interface Payload {
  content: Content;
  /** Lowercase hex. */
  sha256: string;
  size?: number;
  text?: string;
  /** Not UTF-8 text, or longer than a diff shows. */
  notText?: 'long' | 'binary' | 'torn';
  /** Hash for the task's result. */
  digest(algorithm: 'sha1' | 'md5'): Value;
}

export function textPayload(text: string): Payload {
  const bytes = Buffer.from(text);
  const isText = bytes.length <= textLimit && !text.includes('\0');
  return {
    content: text.includes('\0') ? { kind: 'base64', data: bytes.toString('base64') } : { kind: 'text', text },
    sha256: hash('sha256', bytes),
    size: bytes.length,
    ...(isText ? { text } : { notText: bytes.length > textLimit ? 'long' : 'binary' }),
    digest: (algorithm) => hash(algorithm, bytes),
  };
}

/** A controller file: short text goes inline, all else is staged by content address. */
export function filePayload(file: ControllerFile): Payload {
  const text = file.size <= textLimit ? textOf(file.bytes()) : undefined;
  const sha256 = file.sha256();
  return {
    content: text === undefined ? { kind: 'blob', path: file.path, sha256, size: file.size } : { kind: 'text', text },
    sha256,
    size: file.size,
    ...(text === undefined ? { notText: file.size > textLimit ? 'long' : 'binary' } : { text }),
    digest: (algorithm) => (file.size > digestLimit ? tooLarge : hash(algorithm, file.bytes())),
  };
}

/** A file of the host, copied there. `digest`: where its other hashes were asked for. */
export function hostPayload(
  path: string,
  sha256: string,
  size: number | undefined,
  digest: Payload['digest'] = () => new Unknown(`the hash of ${path} was not asked for`),
): Payload {
  return {
    content: { kind: 'host', path },
    sha256,
    ...(size === undefined ? {} : { size }),
    digest,
  };
}

/** Fields of the effect of writing it. */
export function payloadFields(payload: Payload): Pick<FilePut, 'sha256' | 'size' | 'text' | 'notText'> {
  const { sha256, size, text, notText } = payload;
  return {
    sha256,
    ...(size === undefined ? {} : { size }),
    ...(text === undefined ? {} : { text }),
    ...(notText ? { notText } : {}),
  };
}

export function hash(algorithm: string, bytes: Buffer | string): string {
  if (typeof bytes !== 'string' || bytes.length > keptLength) return createHash(algorithm).update(bytes).digest('hex');
  const name = `${algorithm} ${bytes}`;
  const known = kept.get(name) ?? createHash(algorithm).update(bytes).digest('hex');
  if (kept.size >= keptCount) kept.clear();
  kept.set(name, known);
  return known;
}

/** The same text is hashed for its questions and for its plan, ahead and in its turn, and for host after host. */
const kept = new Map<string, string>();
const [keptCount, keptLength] = [2000, 4096];

/** Beyond this many bytes a file is read once for its sha256 only. */
const digestLimit = 8 * 1024 * 1024;
const tooLarge = new Unknown('not computed for files over 8 MiB');

function textOf(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  return !text.includes('\0') && Buffer.from(text).equals(bytes) ? text : undefined;
}
