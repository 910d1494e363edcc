import { inputError } from '../../core/errors.ts';
import type { ConfigLine } from './lines.ts';
import { matchesList } from './patterns.ts';
import { expandTokens } from './tokens.ts';
import type { Found, MatchSettings, Wanted } from './types.ts';

interface State {
  found: Found;
  settings: MatchSettings;
  wanted: Wanted;
  isFinal: boolean;
  /** Nothing here can come into force: no command is run. */
  isDead: boolean;
}

/** Whether all criteria of a Match line hold for what is known so far. */
export function matchCriteria(line: ConfigLine, state: State): { holds: boolean; wantsFinal: boolean } {
  const words = criteriaWords(line);
  let [holds, wantsFinal, count] = [true, false, 0];
  for (let i = 0; i < words.length; i++) {
    const isNegated = words[i]?.startsWith('!') === true;
    const name = words[i]?.slice(isNegated ? 1 : 0).toLowerCase() ?? '';
    if (name === 'all') return { holds: allAlone(line, words, i, count) && holds !== isNegated, wantsFinal };
    count++;
    wantsFinal ||= name === 'final';
    const verdict =
      name === 'final' || name === 'canonical' ? state.isFinal : asked(name, words[++i], line, state, holds);
    if (verdict === isNegated) holds = false;
  }
  if (count > 0) return { holds, wantsFinal };
  throw inputError('a Match without criteria', { origin: line.origin, expected: criteria });
}

const criteria = 'all, host, originalhost, user, localuser, final or canonical';

/** `canonical all` is the one pair that OpenSSH lets stand. */
function allAlone({ origin }: ConfigLine, words: string[], at: number, before: number): true {
  if (at === words.length - 1 && before <= 1) return true;
  throw inputError("'Match all' stands beside other criteria", { origin, expected: "'all' alone" });
}

/** Criteria are cut more simply than values: by blanks or one `=`, in double quotes only. */
function criteriaWords({ rest }: ConfigLine): string[] {
  const words: string[] = [];
  for (const [, quoted, plain] of rest.matchAll(/"([^"]*)"|([^ \t"=]+)/g)) {
    if (plain?.startsWith('#')) break;
    words.push(quoted ?? plain ?? '');
  }
  return words;
}

function asked(name: string, value: string | undefined, line: ConfigLine, state: State, holds: boolean): boolean {
  if (!value) throw inputError(`Match ${name} has no value`, { origin: line.origin, expected: 'a pattern' });
  const { wanted, found, settings } = state;
  const lower = value.toLowerCase();
  if (name === 'host') return matchesList(currentHost(state).toLowerCase(), lower);
  if (name === 'originalhost') return matchesList(wanted.host.toLowerCase(), lower);
  if (name === 'user') return matchesList(wanted.user ?? found.get('user')?.values[0] ?? settings.localUser, value);
  if (name === 'localuser') return matchesList(settings.localUser, value);
  if (name === 'exec') return holds && !state.isDead && runs(value, line, state);
  throw inputError(`Match has no criterion '${name}' here`, {
    origin: line.origin,
    expected: criteria,
  });
}

function currentHost({ found, wanted, isFinal }: State): string {
  const named = found.get('hostname');
  if (!named) return wanted.host;
  return isFinal ? (named.values[0] ?? '') : expandTokens(named.values[0] ?? '', { h: wanted.host }, named.origin);
}

function runs(command: string, { origin }: ConfigLine, state: State): boolean {
  const { settings, wanted, found } = state;
  if (!settings.exec)
    throw inputError(`Match exec would run '${command}' on this machine`, {
      origin,
      hint: 'set KPUSH_SSH_CONFIG_EXEC=1 to allow it',
    });
  const tokens = {
    h: currentHost(state),
    n: wanted.host,
    p: String(wanted.port ?? found.get('port')?.values[0] ?? 22),
    r: wanted.user ?? found.get('user')?.values[0] ?? settings.localUser,
    u: settings.localUser,
    d: settings.home,
    i: String(process.getuid?.() ?? 0),
  };
  return settings.exec(expandTokens(command, tokens, origin));
}
