import { bare, ended, linesOf } from './lines.ts';
import { regex, replacement } from './regex.ts';

/** Parameters of lineinfile that decide about lines. */
export interface LineEdit {
  line?: string | undefined;
  regexp?: string | undefined;
  search_string?: string | undefined;
  backrefs: boolean;
  insertafter?: string | undefined;
  insertbefore?: string | undefined;
  firstmatch: boolean;
}

export interface LineChange {
  text: string;
  msg: string;
  found?: number;
}

/** The text without every line that matches. */
export function lineAbsent(text: string, given: LineEdit): LineChange {
  const lines = linesOf(text);
  const left = lines.filter((line) => !isWanted(line, given));
  const found = lines.length - left.length;
  return { text: left.join(''), msg: found ? `${found} line(s) removed` : '', found };
}

/** The text with the line in the place of a match, where insertafter or insertbefore say, or at the end. */
export function linePresent(text: string, given: LineEdit): LineChange {
  const lines = linesOf(text);
  const match = matchIndex(lines, given);
  if (match >= 0) return replaced(lines, match, given.backrefs ? withGroups(lines[match]!, given) : given.line!);
  const { exact, place } = search(lines, given);
  if (exact >= 0) return replaced(lines, exact, given.line!);
  if (given.backrefs) return { text, msg: '' };
  const line = given.line!;
  if (given.insertbefore === 'BOF' || given.insertafter === 'BOF') return inserted(lines, 0, line);
  if (place < 0) return inserted(lines, lines.length, line);
  if (given.insertafter !== undefined && bare(lines[place] ?? '') === line && place < lines.length)
    return { text, msg: '' };
  return inserted(lines, place, line);
}

function isWanted(line: string, given: LineEdit): boolean {
  if (given.regexp !== undefined) return regex(given.regexp, 'regexp').search(line) !== undefined;
  return given.search_string !== undefined ? line.includes(given.search_string) : bare(line) === given.line;
}

/** The last line that regexp or search_string finds, or the first with firstmatch. */
function matchIndex(lines: string[], given: LineEdit): number {
  if (given.regexp === undefined && given.search_string === undefined) return -1;
  const hit = (line: string) => isWanted(line, given);
  return given.firstmatch ? lines.findIndex(hit) : lines.findLastIndex(hit);
}

/** The last line that is the wanted one already, and where to insert it else; firstmatch ends at the first place. */
function search(lines: string[], given: LineEdit): { exact: number; place: number } {
  const pattern = anchor(given);
  const found = { exact: -1, place: -1 };
  for (const [i, line] of lines.entries()) {
    if (bare(line) === given.line) found.exact = i;
    else if (pattern?.search(line)) {
      found.place = given.insertafter !== undefined ? i + 1 : i;
      if (given.firstmatch) break;
    }
  }
  return found;
}

function anchor({ insertafter, insertbefore }: LineEdit) {
  if (insertafter !== undefined && insertafter !== 'EOF' && insertafter !== 'BOF')
    return regex(insertafter, 'insertafter');
  return insertbefore !== undefined && insertbefore !== 'BOF' ? regex(insertbefore, 'insertbefore') : undefined;
}

function withGroups(line: string, given: LineEdit): string {
  const pattern = regex(given.regexp!, 'regexp');
  return replacement(pattern, given.line!, 'line')(pattern.search(line)!);
}

function replaced(lines: string[], at: number, line: string): LineChange {
  const ended = line.endsWith('\n') ? line : `${line}\n`;
  const same = lines[at] === ended;
  return { text: lines.with(at, ended).join(''), msg: same ? '' : 'line replaced' };
}

/** A last line without an end gets one, so that the new line stands alone. */
function inserted(lines: string[], at: number, line: string): LineChange {
  const before = ended(lines.slice(0, at).join(''));
  return { text: `${before}${line}\n${lines.slice(at).join('')}`, msg: 'line added' };
}
