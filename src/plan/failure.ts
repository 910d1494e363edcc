import type { TaskEvent } from '../core/events.ts';
import { quoteAll } from '../core/quote.ts';
import type { StepOutcome } from '../core/steps.ts';
import { isString, type Value } from '../jinja/values.ts';
import type { Outcome } from './outcome.ts';

/** What is told of the step that made a task fail: its command, exit code, last lines, the state of its units. */
export function failureOf(outcome: Outcome): TaskEvent['failure'] {
  if (outcome.status !== 'failed') return undefined;
  const bad = badStep(outcome);
  if (!bad) return undefined;
  const { rc, stdout, stderr, evidence } = bad;
  return { command: commandOf(outcome, bad), rc, stdout: tail(stdout), stderr: tail(stderr), evidence };
}

function badStep({ ran }: Outcome): StepOutcome | undefined {
  return ran.find(({ status }) => status !== 'ok' && status !== 'predicted') ?? ran.at(-1);
}

const longest = 1000;

/** The words of the user's own command; what else a step runs is no help to anyone, its title is. */
function commandOf({ result, steps }: Outcome, { key }: StepOutcome): string | undefined {
  const cmd = result.values.get('cmd');
  const words = Array.isArray(cmd) ? quoteAll(cmd.map((word) => textOf(word) ?? '')) : textOf(cmd);
  if (words === undefined || words === '') return steps.find((step) => step.key === key)?.title;
  return words.length > longest ? `${words.slice(0, longest)}…` : words;
}

function textOf(value: Value | undefined): string | undefined {
  if (!isString(value)) return undefined;
  return typeof value === 'string' ? value : value.text;
}

function tail(text: string): string {
  return text.trimEnd().split('\n').slice(-20).join('\n');
}

/** What hosts say when something is wrong that is not the task's fault, and what to try. */
const hints: [RegExp, string][] = [
  [/no space left on (\/\S*)/, 'free some space there; df -h $1 and du -xh $1 | sort -h | tail show where it went'],
  [/no inodes left on (\/\S*)/, 'remove small files there; df -i $1 shows how many there are'],
  [/No space left on device|Disk quota exceeded/, 'df -h shows which file system of the host is full'],
  [/Read-only file system/, 'the host mounted it so, often after an error of its disk: dmesg tells'],
  [/(?:command |: )not found$/m, 'is its package installed, and its folder in the PATH of the login user?'],
  [/Temporary failure in name resolution|Could not resolve/, 'the host cannot resolve names: see its /etc/resolv.conf'],
  [/Text file busy/, 'the program runs: stop its unit first, or replace the file by rename'],
];

const denied = /Permission denied|Operation not permitted|are you root\?|must be root/;

/** What to try, by what a failed step said. */
export function hintOf(outcome: Outcome): string | undefined {
  if (outcome.status !== 'failed') return undefined;
  const bad = badStep(outcome);
  const said = bad?.stderr.trim() ? bad.stderr : (bad?.stdout ?? '');
  if (bad?.status === 'timeout') return "the task's 'timeout:' is too short, or the command waits for something";
  const isOther = outcome.steps.some((step) => step.identity.become);
  if (denied.test(said)) return isOther ? undefined : "'become: true' runs the task as root";
  const [pattern, hint] = hints.find(([one]) => one.test(said)) ?? [];
  return hint?.replaceAll('$1', pattern?.exec(said)?.[1] ?? '');
}
