import type { RunOptions } from '../core/options.ts';
import { quoteAll } from '../core/quote.ts';
import type { RecapModel } from '../report/recap.ts';

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
    bad.length > 0 ? `the hosts that failed:  ${again(options, bad)}` : `the rest:  ${again(options, [])}`,
  ].filter((line) => line !== '');
}

/** More hosts than this make an unreadable --limit. */
const named = 12;

function again({ inventories, playbooks, limit, tags, skipTags, extraVars, yes }: RunOptions, bad: string[]): string {
  const limits = bad.length > 0 && bad.length <= named ? [bad.join(',')] : limit;
  const repeated = (flag: string, values: string[]) => values.flatMap((value) => [flag, value]);
  return quoteAll([
    ...['kpush', 'apply', ...repeated('-i', inventories), ...playbooks],
    ...[...repeated('-l', limits), ...repeated('-t', tags), ...repeated('--skip-tags', skipTags)],
    ...[...repeated('-e', extraVars), ...(yes ? ['--yes'] : [])],
  ]);
}
