import { quote } from '../../core/quote.ts';
import type { Result } from '../../core/result.ts';
import type { StepOutcome } from '../../core/steps.ts';
import type { Value } from '../../jinja/values.ts';

const mark = 'kpush-entry:';

/** Shell text that tells the new line of a user or group: what useradd and groupadd decide is known only then. */
export function tellEntry(database: 'passwd' | 'group', name: string): string {
  const pattern = quote(`^${name.replace(/[.[\]*^$\\]/g, '\\$&')}:`);
  return `printf '${mark}%s\\n' "$(getent ${database} ${quote(name)} 2>/dev/null || grep ${pattern} /etc/${database})"`;
}

/** The result with what the last such line tells, by `fields`; the predicted one where there is none. */
export function withEntry(
  predicted: Result,
  outcomes: readonly StepOutcome[],
  fields: (entry: string[]) => Record<string, Value>,
): Result {
  const line = outcomes
    .flatMap((outcome) => outcome.stdout.split('\n'))
    .findLast((text) => text.startsWith(mark) && text.length > mark.length);
  if (line === undefined) return predicted;
  const told = fields(line.slice(mark.length).split(':'));
  return { ...predicted, values: new Map([...predicted.values, ...Object.entries(told)]) };
}
