import type { Result } from '../../core/result.ts';
import type { StepOutcome } from '../../core/steps.ts';
import { Unknown, type Value } from '../../jinja/values.ts';
import { output } from './ran.ts';

/** Ansible's result of an apt job that ran: whether anything changed, what it printed, why it failed. */
export function completeApt(predicted: Result, outcomes: StepOutcome[]): Result {
  const outcome = outcomes.at(-1);
  if (!outcome) return predicted;
  const bad = outcome.status !== 'ok';
  const changed = predicted.changed instanceof Unknown ? counted(outcome.stdout) : predicted.changed;
  const values = new Map<string, Value>([...predicted.values, ...Object.entries(output(outcome))]);
  if (values.get('cache_update_time') instanceof Unknown)
    values.set('cache_update_time', Math.floor(outcome.end / 1000));
  if (!bad) return { changed, values };
  values.set('rc', outcome.rc).set('msg', failureText(outcome));
  return { changed: false, failed: true, values };
}

/** "0 upgraded, 2 newly installed, 0 to remove": apt-get prints it for each of its runs that would change anything. */
function counted(stdout: string): boolean {
  const counts = [...stdout.matchAll(/(\d+) upgraded, (\d+) newly installed,(?: (\d+) downgraded,)? (\d+) to remove/g)];
  return counts.some((found) => found.slice(1).some((count) => Number(count ?? 0) > 0)) || /^Del /m.test(stdout);
}

function failureText(outcome: StepOutcome): string {
  if (outcome.status === 'timeout') return 'timed out';
  const text = `${outcome.stderr}\n${outcome.stdout}`;
  const lines = text.split('\n').filter((line) => /^(E:|Err:|dpkg: error|kpush: )/.test(line));
  const own = lines.filter((line) => line.startsWith('kpush: ')).at(-1);
  const said = [...new Set(lines.filter((line) => !line.startsWith('kpush: ')))].slice(-3).join(' ');
  const reason = notThere(text) ?? (said || own || `exit status ${outcome.rc}`);
  const hint = hints.find(([pattern]) => pattern.test(text))?.[1];
  const lock = own?.includes('locked') ? `${own.slice('kpush: '.length)}: ` : '';
  return `${lock}${reason}${hint ? ` (${hint})` : ''}`;
}

/** In Ansible's words. */
function notThere(text: string): string | undefined {
  const name = /Unable to locate package (\S+)/.exec(text)?.[1];
  if (name !== undefined) return `No package matching '${name}' is available`;
  const version = /Version '([^']+)' for '([^']+)' was not found/.exec(text);
  return version ? `no available installation candidate for ${version[2]}=${version[1]}` : undefined;
}

const hints: [RegExp, string][] = [
  [/EXPKEYSIG/, "the repository's signing key has expired: install its new key"],
  [/NO_PUBKEY/, "the repository's signing key is not installed"],
  [/REVKEYSIG|KEYREVOKED/, "the repository's signing key was revoked"],
  [/BADSIG/, "the repository's index does not fit its signature: a proxy or mirror in between may be stale"],
  [/Release file .* is (expired|not valid yet)/, "the host's clock is wrong, or the mirror is out of date"],
  [/does not have a Release file/, 'that repository has nothing for this release'],
  [/Packages were downgraded and -y was used/, 'allow_downgrade: true permits that'],
  [/Held packages were changed and -y was used/, 'allow_change_held_packages: true permits that'],
  [/Essential packages were removed/, 'the packages asked for cannot live beside essential ones'],
  [/No space left on device|You don't have enough free space/, 'the disk is full'],
  [/Permission denied|are you root/, 'this task needs become: true'],
  [/Read-only file system/, 'the file system is read-only'],
  [/Temporary failure resolving|Could not resolve/, "the host cannot resolve the mirror's name"],
  [/unmet dependencies|held broken packages/, 'the versions asked for exclude each other'],
];
