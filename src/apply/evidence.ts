import type { Need } from '../core/needs.ts';
import { SessionError } from '../core/session.ts';
import type { PlannedStep, StepOutcome } from '../core/steps.ts';
import type { Asker } from '../plan/asker.ts';
import { evidenceKey } from '../world/evidence.ts';

type RunNeed = Extract<Need, { kind: 'run' }>;

/**
 * The outcomes, those of failed commands that act on units with the units' status and last journal lines. A systemd
 * step brings them itself, as part of its stderr.
 */
export async function withEvidence(
  { on, steps }: RunNeed,
  outcomes: StepOutcome[],
  { asker, stop }: { asker: Asker; stop: AbortSignal },
): Promise<StepOutcome[]> {
  const byKey = new Map(steps.map((step) => [step.key, step]));
  return Promise.all(
    outcomes.map(async (outcome) => {
      const step = byKey.get(outcome.key);
      const hasFailed = outcome.status === 'failed' || outcome.status === 'timeout';
      const units = hasFailed && step && !stop.aborted ? unitsOf(step) : [];
      return step && units.length > 0 ? { ...outcome, evidence: await evidenceOf(on, step, units, asker) } : outcome;
    }),
  );
}

/** The failure is told also where its evidence cannot be had. */
async function evidenceOf(on: string, { identity }: PlannedStep, units: string[], asker: Asker): Promise<string> {
  try {
    const answers = await asker.ask(on, [{ identity, keys: units.map((unit) => evidenceKey(unit)) }]);
    return answers.flatMap(({ answer }) => (answer.state === 'known' ? [String(answer.value)] : [])).join('\n\n');
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    return `(not to be had: ${error.message})`;
  }
}

const verbs = '(?:re|try-re|reload-or-re)?start|stop|reload|isolate|enable|reenable';
const bySystemctl = new RegExp(
  `\\bsystemctl\\s+(?:-\\S+\\s+)*(?:${verbs})\\s+((?:-\\S+\\s+)*[\\w@.:\\\\-]+(?:[ \\t]+[\\w@.:\\\\-]+)*)`,
  'g',
);
const byService = /(?:^|[;&|]|\s)(?:\/\S*\/)?service\s+([\w@.-]+)\s+(?:re)?(?:start|load|stop)\b/gm;

/** Units that the text of a command names; those of a user's own manager are left out. */
export function unitsOf({ run }: Pick<PlannedStep, 'run'>): string[] {
  if (run.kind !== 'sh' && run.kind !== 'argv') return [];
  const text = run.kind === 'sh' ? run.script : run.argv.join(' ');
  if (/systemctl\s+(?:-\S+\s+)*--(user|global)\b/.test(text)) return [];
  const named = [...text.matchAll(bySystemctl)].flatMap(([, words = '']) => words.trim().split(/\s+/));
  const services = [...text.matchAll(byService)].map(([, name = '']) => name);
  return [...new Set([...named, ...services])].filter((word) => !word.startsWith('-')).slice(0, 5);
}
