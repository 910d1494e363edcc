import type { Step } from '../../core/steps.ts';
import { fileKey } from '../../world/file.ts';

/** Removes a file whose text is known. */
export function removeFileStep(path: string, before: string | undefined): Step {
  return {
    title: `remove ${path}`,
    run: { kind: 'argv', argv: ['rm', '-f', '--', path] },
    effects: [{ type: 'file.remove', path }],
    proof: [fileKey(path)],
    diff: [{ kind: 'text', path, before: before ?? null, after: null }],
  };
}
