import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Blob } from '../core/session.ts';
import type { Content, Run } from '../core/steps.ts';
import { maxInline } from '../remote/compile-put.ts';
import type { ApplyTools } from './apply-driver.ts';
import type { TripPlan } from './trips.ts';

/** Big contents go ahead of the trip that puts them in place, by content address. */
export async function stageBlobs(
  host: string,
  trip: Pick<TripPlan, 'identity'> & { steps: { first: { run: Run; noLog?: boolean } }[] },
  tools: Pick<ApplyTools, 'sessionOf' | 'slot' | 'close' | 'uploads'>,
): Promise<void> {
  const { identity } = trip;
  for (const { first } of trip.steps) {
    const { run, noLog } = first;
    if (run.kind !== 'put') continue;
    const isSecret = noLog === true || run.content.kind !== 'blob';
    await withSource(run.content, (blob) =>
      tools.slot(() =>
        tools.uploads.send({ host, session: tools.sessionOf(host), identity, blob, isSecret, signal: tools.close }),
      ),
    );
  }
}

/** A put whose content was sent ahead takes it from there. */
export function staged(run: Run): Run {
  if (run.kind !== 'put') return run;
  const { content } = run;
  if (content.kind === 'blob') return { ...run, content: { ...content, path: blobPath(content.sha256) } };
  const bytes = longBytes(content);
  if (!bytes) return run;
  const sha256 = hash(bytes);
  return { ...run, content: { kind: 'blob', path: blobPath(sha256), sha256, size: bytes.length } };
}

/** Where a blob waits on the host, in the store of the user it was sent as. */
export function blobPath(sha256: string): string {
  return `sha256-${sha256}`;
}

/** Calls `send` for contents that are sent ahead; a long text that is no file stands in one of its own meanwhile. */
async function withSource(content: Content, send: (blob: Blob) => Promise<void>): Promise<void> {
  if (content.kind === 'blob') {
    const { path: source, sha256, size } = content;
    return send({ source, sha256, size, path: blobPath(sha256) });
  }
  const bytes = longBytes(content);
  if (!bytes) return;
  const folder = await mkdtemp(join(tmpdir(), 'kpush-stage-'));
  try {
    const source = join(folder, 'content');
    await writeFile(source, bytes, { mode: 0o600 });
    const sha256 = hash(bytes);
    await send({ source, sha256, size: bytes.length, path: blobPath(sha256) });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The bytes of a text (a rendered template) that is too long to stand in a script. */
function longBytes(content: Content): Buffer | undefined {
  if (content.kind !== 'text' && content.kind !== 'base64') return undefined;
  const bytes = content.kind === 'text' ? Buffer.from(content.text) : Buffer.from(content.data, 'base64');
  return bytes.length > maxInline ? bytes : undefined;
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
