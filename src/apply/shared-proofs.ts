import type { FilePut } from '../core/effects.ts';
import type { FactKey } from '../core/facts.ts';
import type { PlannedStep } from '../core/steps.ts';
import type { FileFact } from '../world/file.ts';
import type { JoinedStep } from './trips.ts';

/** More would keep a run that is cut off from telling what it did. */
const most = 32;

/**
 * Neighbouring steps that write files and make directories: what they changed is read once, after the last of them. It
 * is the same as right after each, since every path is its own real one and a file that is written is a new one: no
 * other name leads to it, and no later step of the group changes what was read, but for the very same path.
 */
export function shareProofs(steps: readonly JoinedStep[]): JoinedStep[] {
  let group: PlannedStep[] = [];
  return steps.map((step) => {
    if (!isPlain(step)) {
      group = [];
      return step;
    }
    if (group.length === 0 || group.length >= most || shutsIn(step.first, group)) group = [];
    group.push(step.first);
    return { ...step, proved: group };
  });
}

function isPlain({ planned, first }: JoinedStep): boolean {
  const { run, onCut, onFail, effects, proves } = first;
  if (planned.length > 1 || onFail !== 'stop' || (onCut ?? 'end') !== 'end' || effects.length === 0) return false;
  if (!proves.every(({ key }) => key.family === 'file' || key.family === 'content')) return false;
  const kind = run.kind === 'put' ? 'file' : 'directory';
  const writes =
    run.kind === 'put' ? run.validate === undefined && !run.unsafeWrites : run.kind === 'sh' && run.brief === true;
  return (
    writes && effects.every((effect) => effect.type === 'file.put' && effect.kind === kind && isReal(effect, proves))
  );
}

/** Whether the path is proved, and no link leads to it. */
function isReal({ path }: FilePut, proves: readonly { key: FactKey; expected: unknown }[]): boolean {
  const proved = proves.find(({ key }) => key.family === 'file' && key.id === path)?.expected as FileFact | undefined;
  return proved?.exists === true && proved.canonical === path;
}

/** A directory above what is still to be read: with its new mode nobody might read that any more. */
function shutsIn({ effects }: PlannedStep, group: readonly PlannedStep[]): boolean {
  const paths = group.flatMap(({ proves }) => proves.map(({ key }) => key.id));
  return (effects as FilePut[]).some(({ path }) => paths.some((below) => below.startsWith(`${path}/`)));
}
