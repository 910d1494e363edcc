import type { FilePut } from '../../core/effects.ts';
import type { ModuleContext, WorldView } from '../../core/module.ts';
import { holdsSecret, isSecretFile } from '../../core/secrecy.ts';
import type { Diff } from '../../core/steps.ts';
import { type ContentFact, content } from '../../world/content.ts';
import type { FileFact } from '../../world/file.ts';
import type { Payload } from './payload.ts';

interface Change {
  path: string;
  fact: FileFact;
  payload: Payload;
  mode?: number | string | undefined;
  secret?: boolean | undefined;
}

/** Whether the content may be read for a diff: what only its owner may read is not, nor is what looks like a key. */
export function mayShow(change: Change): boolean {
  const mode = change.fact.exists ? change.fact.mode : undefined;
  return !(
    change.secret ||
    change.payload.text === undefined ||
    isSecretFile(change.path, change.mode) ||
    isSecretFile(change.path, mode) ||
    holdsSecret(change.payload.text)
  );
}

/** What a write changes, for a person: text against text where both are text, hashes elsewhere. */
export function contentDiff(change: Change, effect: FilePut, world: WorldView, ctx: ModuleContext): Diff {
  const before = beforeOf(change, world, ctx);
  const after = change.payload.text;
  if (after === undefined || before.notText)
    return { kind: 'bytes', path: change.path, before: wordOf(before), after: hashWord(effect.sha256!, effect.size) };
  const secret = !mayShow(change) || holdsSecret(before.text ?? '');
  // Whether an earlier step or the host told the text of a secret must make no difference: it is a hash either way.
  const text = secret ? undefined : before.text;
  return {
    kind: 'text',
    path: change.path,
    before: text ?? null,
    after,
    ...(secret ? { secret: true } : {}),
    ...(before.exists && text === undefined ? { unknownBefore: wordOf(before) ?? 'not read' } : {}),
  };
}

/** The old content as far as it was asked for; of links and new files there is none. */
function beforeOf(change: Change, world: WorldView, ctx: ModuleContext): ContentFact & { size?: number } {
  const { fact, payload } = change;
  if (!fact.exists || fact.kind !== 'file') return { exists: false };
  const wants = { sha256: payload.sha256, ...(ctx.diff && mayShow(change) ? { text: true } : {}) };
  return { ...content(world, change.path, wants), ...(fact.size === undefined ? {} : { size: fact.size }) };
}

function wordOf(before: ContentFact & { size?: number }): string | null {
  return before.exists && before.sha256 ? hashWord(before.sha256, before.size) : null;
}

function hashWord(sha256: string, size: number | undefined): string {
  return `sha256 ${sha256.slice(0, 16)}…${size === undefined ? '' : `, ${size} bytes`}`;
}
