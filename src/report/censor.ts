import { createHash } from 'node:crypto';
import type { RunEvent, TaskEvent } from '../core/events.ts';
import { holdsSecret, isSecretFile } from '../core/secrecy.ts';
import type { Diff } from '../core/steps.ts';

/**
 * The event without what a diff would give away: the text of secret files becomes hash and length, a no_log task
 * keeps only what is touched. Everything that shows or stores events works on this.
 */
export function censor(event: RunEvent): RunEvent {
  if (event.type !== 'task' || !event.steps.some((step) => step.diff)) return event;
  const steps = event.steps.map((step) => (step.diff ? { ...step, diff: censorDiffs(step.diff, event) } : step));
  return { ...event, steps };
}

/** `sha256:1f2e3d4c5b6a, 1675 bytes`: enough to see that it changed, and to compare with what one expects. */
export function fingerprint(text: string): string {
  const digest = createHash('sha256').update(text, 'utf8').digest('hex');
  return `sha256:${digest.slice(0, 12)}, ${Buffer.byteLength(text)} bytes`;
}

function censorDiffs(diffs: Diff[], event: TaskEvent): Diff[] {
  return diffs.map((diff) => {
    if (event.noLog) return hidden(diff);
    return diff.kind === 'text' && isSecret(diff, diffs) ? asBytes(diff) : diff;
  });
}

type TextDiff = Extract<Diff, { kind: 'text' }>;

function isSecret(diff: TextDiff, all: Diff[]): boolean {
  const modes = all.flatMap((other) => modesOf(other, diff.path));
  return (
    diff.secret === true ||
    isSecretFile(diff.path) ||
    modes.some((mode) => isSecretFile(diff.path, mode)) ||
    [diff.before, diff.after].some((text) => text !== null && holdsSecret(text))
  );
}

/** Octal modes that another diff of the same step names for the path, before and after. */
function modesOf(diff: Diff, path: string): string[] {
  if (diff.kind !== 'fields' || diff.subject !== path) return [];
  const modes = diff.fields.filter((field) => field.name === 'mode').flatMap((field) => [field.before, field.after]);
  return modes.filter((mode) => mode !== null && /^0?[0-7]{3,4}$/.test(mode)) as string[];
}

function asBytes(diff: TextDiff): Diff {
  const before = diff.unknownBefore ?? (diff.before === null ? null : fingerprint(diff.before));
  return { kind: 'bytes', path: diff.path, before, after: diff.after === null ? null : fingerprint(diff.after) };
}

function hidden(diff: Diff): Diff {
  const veil = (value: string | null) => (value === null ? null : 'hidden (no_log)');
  if (diff.kind === 'fields')
    return {
      ...diff,
      fields: diff.fields.map(({ name, before, after }) => ({ name, before: veil(before), after: veil(after) })),
    };
  return { kind: 'bytes', path: diff.path, before: veil(diff.before), after: veil(diff.after) };
}
