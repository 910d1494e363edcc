import type { RunOptions } from '../core/options.ts';
import { quoteAll } from '../core/quote.ts';
import type { RecapModel } from '../report/recap.ts';
import { readSavedPlan } from '../run/saved-plan.ts';
import { version } from './version.ts';

/** What to type after a run that did not end well. */
export function nextSteps(options: RunOptions, model: RecapModel, isRecorded: boolean): string[] {
  const { summary, run, failures } = model;
  if (summary.ok) return [];
  const bad = [...summary.hosts]
    .filter(([, counts]) => counts.failed > 0 || counts.unreachable > 0)
    .map(([host]) => host);
  const first = failures.find((failure) => failure.hosts.length > 0 && failure.kind === 'task')?.hosts[0];
  return [
    isRecorded && first ? `all that ${first} said:  ${quoteAll(['kpush', 'logs', run, first])}` : '',
    planAgain(options) ??
      `what is left:  ${isRecorded && !options.check ? quoteAll(['kpush', 'resume', run]) : again(options, bad)}`,
  ].filter((line) => line !== '');
}

/** A saved plan is of what was there before it was applied: it is made anew, not applied again. */
function planAgain({ playbooks }: RunOptions): string | undefined {
  const [path] = playbooks;
  const saved = path === undefined ? undefined : readSavedPlan(path, version);
  if (!saved) return undefined;
  const { inventories, playbooks: own, limit, tags, skipTags, extraVars } = saved.options;
  const texts = extraVars.flatMap((one) => ('text' in one ? [one.text] : []));
  return `what is left:  ${command('plan', { inventories, playbooks: own, limit, tags, skipTags, extraVars: texts })} -o ${quoteAll([path!])}`;
}

/** More hosts than this make an unreadable --limit. */
const named = 12;

function again(options: RunOptions, bad: string[]): string {
  const limit = bad.length > 0 && bad.length <= named ? [bad.join(',')] : options.limit;
  return `${command('apply', { ...options, limit })}${options.yes ? ' --yes' : ''}`;
}

type Repeated = Pick<RunOptions, 'inventories' | 'playbooks' | 'limit' | 'tags' | 'skipTags' | 'extraVars'>;

function command(verb: string, { inventories, playbooks, limit, tags, skipTags, extraVars }: Repeated): string {
  const repeated = (flag: string, values: string[]) => values.flatMap((value) => [flag, value]);
  return quoteAll([
    ...['kpush', verb, ...repeated('-i', inventories), ...playbooks],
    ...[...repeated('-l', limit), ...repeated('-t', tags), ...repeated('--skip-tags', skipTags)],
    ...repeated('-e', extraVars),
  ]);
}
