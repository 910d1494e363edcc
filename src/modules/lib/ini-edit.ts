import { ended, linesOf } from './lines.ts';

/** Parameters of ini_file that decide about the text. */
export interface IniEdit {
  section?: string | undefined;
  option?: string | undefined;
  value?: string | undefined;
  values?: readonly string[] | undefined;
  state: string;
  exclusive: boolean;
  no_extra_spaces: boolean;
  allow_no_value: boolean;
}

export interface IniChange {
  text: string;
  /** `OK`: nothing to do. */
  msg: string;
}

/** The text with the option, or the section, as wanted. */
export function changeIni(text: string, given: IniEdit): IniChange {
  const lines = text === '' ? ['\n'] : linesOf(ended(text));
  const range = sectionRange(lines, given.section);
  const values = given.value === undefined ? [...(given.values ?? [])] : [given.value];
  if (!range) return given.state === 'absent' ? { text, msg: 'OK' } : newSection(lines, given, values);
  const section = lines.slice(range.from, range.to);
  const change =
    given.state === 'absent' ? without(section, given, values) : withOption(section, given, values, range.header);
  if (change.msg === 'OK') return { text, msg: 'OK' };
  return { text: [...lines.slice(0, range.from), ...change.lines, ...lines.slice(range.to)].join(''), msg: change.msg };
}

interface Change {
  lines: string[];
  msg: string;
}

/** Lines of the last section of that name with its header; without a name, those before the first header. */
function sectionRange(lines: string[], section: string | undefined) {
  const from = section === undefined ? 0 : lines.findLastIndex((line) => line.startsWith(`[${section}]`));
  if (from < 0) return undefined;
  const header = section === undefined ? 0 : 1;
  const next = lines.findIndex((line, i) => i >= from + header && line.startsWith('['));
  return { from, to: next < 0 ? lines.length : next, header };
}

function newSection(lines: string[], given: IniEdit, values: string[]): IniChange {
  const wanted = values.length
    ? values.map((value) => assignment(given, value))
    : given.option
      ? [`${given.option}\n`]
      : [];
  const text = `${lines.join('')}[${given.section}]\n${(given.option ? wanted : []).join('')}`;
  return { text, msg: given.option ? 'section and option added' : 'only section added' };
}

function without(section: string[], given: IniEdit, values: string[]): Change {
  if (given.option === undefined) return { lines: [], msg: 'section removed' };
  const left = section.filter((line) => {
    const found = parse(line, given.option!);
    return !found || found.comment || !(given.exclusive || values.includes(found.value));
  });
  return left.length === section.length ? { lines: section, msg: 'OK' } : { lines: left, msg: 'option changed' };
}

/**
 * Lines that hold a wanted value stay (commented ones come alive); of the others, with `exclusive`, the first take the
 * values still missing and the rest go; what is missing then is added behind the section's last option.
 */
function withOption(section: string[], given: IniEdit, values: string[], header: number): Change {
  if (given.option === undefined) return { lines: section, msg: 'OK' };
  const kept = keep(section, given, values);
  const lines = given.exclusive && !given.allow_no_value ? exclusive(kept, given) : kept.lines.map(({ text }) => text);
  const missing = kept.missing.map((value) => assignment(given, value));
  if (given.allow_no_value && values.length === 0 && !kept.alone) missing.push(`${given.option}\n`);
  const changed = lines.length !== section.length || lines.some((line, i) => line !== section[i]);
  if (missing.length === 0) return { lines, msg: changed ? 'option changed' : 'OK' };
  return { lines: lines.toSpliced(insertion(lines, header), 0, ...missing), msg: 'option added' };
}

interface Kept {
  lines: { text: string; settled: boolean }[];
  /** Values that no line holds yet. */
  missing: string[];
  /** The option stands alone already. */
  alone: boolean;
}

function keep(section: string[], given: IniEdit, values: string[]): Kept {
  const missing = [...values];
  let alone = false;
  const lines = section.map((text) => {
    const found = parse(text, given.option!);
    if (!found) return { text, settled: true };
    if (values.length === 0 && given.allow_no_value && !alone) {
      alone = true;
      return { text: `${given.option}\n`, settled: true };
    }
    const at = missing.indexOf(found.value);
    if (at < 0) return { text, settled: false };
    missing.splice(at, 1);
    return { text: assignment(given, found.value), settled: true };
  });
  return { lines, missing, alone };
}

function exclusive(kept: Kept, given: IniEdit): string[] {
  return kept.lines.flatMap(({ text, settled }) => {
    if (settled) return [text];
    const value = kept.missing.shift();
    return value === undefined ? [] : [assignment(given, value)];
  });
}

/** Behind the last line that is neither blank nor a comment; the header counts as one. */
function insertion(lines: string[], header: number): number {
  const last = lines.findLastIndex((line, i) => i < header || !/^[ \t]*([#;].*)?\r?\n$/.test(line));
  return last + 1;
}

function assignment(given: IniEdit, value: string): string {
  return given.no_extra_spaces ? `${given.option}=${value}\n` : `${given.option} = ${value}\n`;
}

/** A line that sets the option, commented out or not. */
function parse(line: string, option: string): { comment: boolean; value: string } | undefined {
  const found = /^[ \t]*([#;]?)[ \t]*(.*)$/.exec(line.replace(/\r?\n$/, ''))!;
  const rest = found[2]!;
  if (!rest.startsWith(option)) return undefined;
  const tail = /^[ \t]*(?:=[ \t]*(.*)|)$/.exec(rest.slice(option.length));
  return tail ? { comment: found[1] !== '', value: tail[1] ?? '' } : undefined;
}
