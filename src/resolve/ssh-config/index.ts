import { inputError } from '../../core/errors.ts';
import type { Origin } from '../../core/origin.ts';
import type { Sources } from '../../load/sources.ts';
import { type ConfigLine, configLines } from './lines.ts';
import { ConfigReading } from './read.ts';
import type { Found, MatchSettings, Wanted } from './types.ts';
import { hostNameOf, type SshValues, sshValues } from './values.ts';

export interface SshConfigSettings extends Omit<MatchSettings, 'lines' | 'files'> {
  sources: Sources;
  /** Whether nobody else can write to the file; asked for the user's own files, as ssh does. Absent: it is so. */
  isSafe?(path: string): boolean;
  /** Takes what kpush does otherwise than ssh. */
  warn?(message: string, origin: Origin): void;
}

/** What ssh_config says for one name, with the line that says it, by keyword in lower case. */
export interface SshConfigAnswer {
  values: SshValues;
  found: Found;
}

/** OpenSSH's client configuration as an answer for each host; files are read once, answers are kept. */
export function sshConfig(settings: SshConfigSettings): (wanted: Wanted) => SshConfigAnswer {
  const match: MatchSettings = { ...settings, files: settings.sources.files, lines: lineReader(settings) };
  const known = new Map<string, SshConfigAnswer>();
  return (wanted) => {
    const key = JSON.stringify([wanted.host, wanted.user, wanted.port]);
    const answer = known.get(key) ?? answerFor(wanted, match, settings);
    known.set(key, answer);
    return answer;
  };
}

function answerFor(wanted: Wanted, match: MatchSettings, { warn }: SshConfigSettings): SshConfigAnswer {
  const reading = new ConfigReading(match, wanted);
  reading.all();
  if (reading.wantsFinal) {
    const named = reading.found.get('hostname');
    const values = [hostNameOf(reading.found, wanted)];
    reading.found.set('hostname', { values, origin: named?.origin ?? { file: '', line: 0, column: 0 } });
    reading.all(true);
  }
  const canonical = reading.found.get('canonicalizehostname');
  if (canonical && canonical.values[0] !== 'no')
    warn?.('CanonicalizeHostname is not followed: names are used as they are', canonical.origin);
  return { values: sshValues(reading.found, wanted, match), found: reading.found };
}

/** Cuts each file once. A file that is not there has no lines; one that others may write to is refused. */
function lineReader({ sources, isSafe, systemFile }: SshConfigSettings): MatchSettings['lines'] {
  const known = new Map<string, ConfigLine[]>();
  return (path, from) => {
    const cut = known.get(path) ?? linesOf(path, from);
    known.set(path, cut);
    return cut;
  };
  function linesOf(path: string, from: Origin | undefined): ConfigLine[] {
    if (!sources.isFile(path)) return [];
    if (path !== systemFile && isSafe?.(path) === false)
      throw inputError(`others than its owner may write to ${path}`, {
        origin: from,
        hint: `chmod go-w ${path}; ssh refuses it, too`,
      });
    return configLines(bytesOf(path, from), sources.show(path));
  }
  function bytesOf(path: string, from: Origin | undefined): string {
    try {
      return sources.files.read(path)?.toString('utf8') ?? '';
    } catch (error) {
      throw inputError(`${path} cannot be read: ${(error as Error).message}`, { origin: from, cause: error });
    }
  }
}
