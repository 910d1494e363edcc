import { join } from 'node:path';
import { inputError } from '../../core/errors.ts';
import { nearest } from '../../core/nearest.ts';
import type { Origin } from '../../core/origin.ts';
import { globFiles } from './glob.ts';
import { adding, otherKeywords, readers } from './keywords.ts';
import type { ConfigLine } from './lines.ts';
import { matchCriteria } from './match.ts';
import { matchesList, matchesPattern } from './patterns.ts';
import type { Found, MatchSettings, Wanted } from './types.ts';

/** OpenSSH's limits. */
const deepest = 16;
const mostFiles = 100;

/** Where a file belongs: names in it are relative to `folder`, and only the user's own may begin with `~`. */
interface Place {
  folder: string;
  isUsers: boolean;
  depth: number;
  /** The include stands in a block that does not match: nothing in it can. */
  isDead: boolean;
}

/** Reads the configuration for one name. The first value of a keyword wins; each line is checked, in force or not. */
export class ConfigReading {
  readonly found: Found = new Map();
  /** A line says `Match final`: all is to be read a second time under the name that was found. */
  wantsFinal = false;
  private readonly settings: MatchSettings;
  private readonly wanted: Wanted;
  private isFinal = false;
  private isActive = true;

  constructor(settings: MatchSettings, wanted: Wanted) {
    this.settings = settings;
    this.wanted = wanted;
  }

  /** The user's file, then the system's. */
  all(isFinal = false): void {
    this.isFinal = isFinal;
    const { home, userFile, systemFile } = this.settings;
    if (userFile) this.top(userFile, { folder: join(home, '.ssh'), isUsers: true });
    if (systemFile) this.top(systemFile, { folder: '/etc/ssh', isUsers: false });
  }

  private top(path: string, place: Pick<Place, 'folder' | 'isUsers'>): void {
    this.isActive = true;
    this.file(path, { ...place, depth: 0, isDead: false });
  }

  private file(path: string, place: Place, from?: Origin): void {
    if (place.depth > deepest)
      throw inputError('includes go deeper than 16 files', { origin: from, hint: 'does a file include itself?' });
    for (const line of this.settings.lines(path, from)) this.line(line, place);
  }

  private line(line: ConfigLine, place: Place): void {
    const keyword = line.keyword === 'identityfile2' ? 'identityfile' : line.keyword;
    const reader = readers.get(keyword);
    if (keyword === 'host') this.isActive = this.hostMatches(line) && !place.isDead;
    else if (keyword === 'match') this.isActive = this.criteriaHold(line, place) && !place.isDead;
    else if (keyword === 'include') this.include(line, place);
    else if (reader) this.keep(keyword, reader(line), line.origin);
    else if (!otherKeywords.has(keyword) && !this.isIgnored(keyword)) throw unknownKeyword(line);
  }

  private keep(keyword: string, values: string[] | undefined, origin: Origin): void {
    if (!this.isActive || !values || this.isShadowed(keyword)) return;
    const known = this.found.get(keyword);
    if (!known) this.found.set(keyword, { values, origin });
    else if (adding.has(keyword) && !known.values.includes(values[0] ?? '')) known.values.push(...values);
    if ((this.found.get(keyword)?.values.length ?? 0) > mostFiles)
      throw inputError(`more than ${mostFiles} lines of ${keyword}`, { origin });
  }

  /** Of ProxyJump and ProxyCommand the first one counts; `ProxyJump none` leaves the choice to a ProxyCommand. */
  private isShadowed(keyword: string): boolean {
    if (keyword === 'proxyjump') return this.found.has('proxycommand');
    const jump = this.found.get('proxyjump')?.values[0] ?? 'none';
    return keyword === 'proxycommand' && jump !== 'none';
  }

  /** In the second reading a name is what HostName made of it. */
  private hostMatches(line: ConfigLine): boolean {
    const name = this.isFinal ? (this.found.get('hostname')?.values[0] ?? this.wanted.host) : this.wanted.host;
    const matching = line.words.filter((word) => {
      if (word === '')
        throw inputError('an empty host pattern', { origin: line.origin, expected: 'a name or pattern' });
      return matchesPattern(name, word.replace(/^!/, ''));
    });
    return matching.length > 0 && !matching.some((word) => word.startsWith('!'));
  }

  private criteriaHold(line: ConfigLine, place: Place): boolean {
    const { found, settings, wanted, isFinal } = this;
    const verdict = matchCriteria(line, { found, settings, wanted, isFinal, isDead: place.isDead });
    this.wantsFinal ||= verdict.wantsFinal;
    return verdict.holds;
  }

  private include({ words, origin }: ConfigLine, place: Place): void {
    const active = this.isActive;
    for (const word of words) {
      for (const path of globFiles(this.anchored(word, place, origin), this.settings.files)) {
        this.file(path, { ...place, depth: place.depth + 1, isDead: place.isDead || !active }, origin);
        this.isActive = active; // a block that an included file begins ends with it
      }
    }
  }

  private anchored(word: string, { folder, isUsers }: Place, origin: Origin): string {
    if (word === '') throw inputError('include: an empty name', { origin, expected: 'a file or pattern' });
    if (word.startsWith('/')) return word;
    if (!word.startsWith('~')) return join(folder, word);
    if (isUsers && /^~(?:\/|$)/.test(word)) return join(this.settings.home, word.slice(1));
    throw inputError(`include: '${word}' cannot be found`, { origin, expected: 'a path from / on' });
  }

  private isIgnored(keyword: string): boolean {
    return matchesList(keyword, this.found.get('ignoreunknown')?.values[0]?.toLowerCase() ?? '');
  }
}

function unknownKeyword({ keyword, origin }: ConfigLine) {
  const close = nearest(keyword, [...readers.keys(), ...otherKeywords]);
  return inputError(`'${keyword}' is no keyword of ssh_config`, {
    origin,
    ...(close ? { nearest: close } : {}),
    hint: 'name it in IgnoreUnknown to pass it over',
  });
}
