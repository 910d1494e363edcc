import { type StructuredPatchHunk, structuredPatch } from 'diff';
import type { Diff } from '../core/steps.ts';
import { ms, wait } from '../core/waits.ts';
import { sanitize } from './sanitize.ts';
import type { Style } from './style.ts';
import { count } from './wording.ts';

/** Longest diff shown of one file, in lines, and of one line, in characters. */
export const shownLines = 200;
export const shownColumns = 400;

/** How large a difference may get before it is only counted; and how long it may take. */
const bounds = { maxEditLength: 5000, timeout: ms(wait('diff').deadline), context: 3 };

/**
 * What a step changes as lines for a person, without indentation: a line for each path or unit, its attributes and
 * text below it. `full: false` gives a text's changes as figures.
 */
export function diffLines(diffs: readonly Diff[], style: Style, options: { full: boolean }): string[] {
  const subjects = [...new Set(diffs.map(subjectOf))];
  return subjects.flatMap((subject) => {
    const parts = diffs.filter((diff) => subjectOf(diff) === subject).map((diff) => partOf(diff, style, options.full));
    const heads = parts.map((part) => part.head).filter((head) => head !== '');
    const fields = parts.flatMap((part) => part.fields);
    const only = fields.length === 1 && fields[0] ? [fields[0]] : [];
    const head = [sanitize(subject), ...heads, ...only].join('  ');
    return [
      head,
      ...(only.length ? [] : fields.map((line) => `  ${line}`)),
      ...parts.flatMap((part) => part.body.map((line) => `  ${line}`)),
    ];
  });
}

/** Whether it makes, removes or alters its subject. */
export function diffKind(diff: Diff): 'create' | 'remove' | 'change' {
  if (diff.kind === 'fields') return 'change';
  if (diff.before === null && !(diff.kind === 'text' && diff.unknownBefore)) return 'create';
  return diff.after === null ? 'remove' : 'change';
}

type TextDiff = Extract<Diff, { kind: 'text' }>;

interface Part {
  head: string;
  fields: string[];
  body: string[];
}

function subjectOf(diff: Diff): string {
  return diff.kind === 'fields' ? diff.subject : diff.path;
}

function partOf(diff: Diff, style: Style, full: boolean): Part {
  if (diff.kind === 'fields') return { head: '', fields: fieldLines(diff, style), body: [] };
  if (diff.kind === 'bytes') return { head: change(diff.before, diff.after, style), fields: [], body: [] };
  if (!full) return { head: figures(diff, style), fields: [], body: [] };
  const note = diff.unknownBefore ? style.cyan(`before: ${sanitize(diff.unknownBefore)}`) : '';
  return {
    head: [what(diff, style), note].filter((text) => text !== '').join('  '),
    fields: [],
    body: textLines(diff, style),
  };
}

function fieldLines(diff: Extract<Diff, { kind: 'fields' }>, style: Style): string[] {
  const width = Math.max(0, ...diff.fields.map((field) => field.name.length));
  return diff.fields.map(
    ({ name, before, after }) => `${style.dim(sanitize(name).padEnd(width))}  ${change(before, after, style)}`,
  );
}

function change(before: string | null, after: string | null, style: Style): string {
  if (before === null) return after === null ? 'unknown' : style.green(`+ ${shown(after)}`);
  if (after === null) return style.red(`- ${shown(before)}`);
  return `${style.red(shown(before))} ${style.sign.arrow} ${style.green(shown(after))}`;
}

function textLines(diff: TextDiff, style: Style): string[] {
  const hunks = hunksOf(diff);
  if (!hunks) return [style.dim('too different to show line by line')];
  const isWhole = diff.before === null || diff.after === null;
  const lines = hunks.flatMap((hunk) => [
    ...(isWhole ? [] : [style.cyan(`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`)]),
    ...hunk.lines.map((line) => painted(line, style)),
  ]);
  return bounded(lines, style);
}

function what(diff: TextDiff, style: Style): string {
  const kind = diffKind(diff);
  if (kind === 'create') return style.green('(new file)');
  return kind === 'remove' ? style.red('(removed)') : '';
}

function figures(diff: TextDiff, style: Style): string {
  const hunks = hunksOf(diff);
  if (!hunks) return style.yellow('rewritten');
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const [added, removed] = ['+', '-'].map((sign) => lines.filter((line) => line.startsWith(sign)).length);
  const parts = [what(diff, style), added ? style.green(`+${added}`) : '', removed ? style.red(`-${removed}`) : ''];
  return parts.filter((part) => part !== '').join(' ');
}

/** Undefined: the two texts have too little in common to be compared in bounded time. */
function hunksOf(
  diff: TextDiff,
): Pick<StructuredPatchHunk, 'oldStart' | 'oldLines' | 'newStart' | 'newLines' | 'lines'>[] | undefined {
  if (diff.before === null || diff.after === null) return wholeFile(diff);
  return structuredPatch('', '', diff.before, diff.after, undefined, undefined, bounds)?.hunks;
}

function wholeFile(diff: TextDiff) {
  const text = diff.after ?? diff.before ?? '';
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const [sign, oldLines, newLines] = diff.before === null ? ['+', 0, lines.length] : ['-', lines.length, 0];
  const ending = text === '' || text.endsWith('\n') ? [] : ['\\ No newline at end of file'];
  const [oldStart, newStart] = [Math.min(1, oldLines), Math.min(1, newLines)];
  return [{ oldStart, oldLines, newStart, newLines, lines: [...lines.map((line) => `${sign}${line}`), ...ending] }];
}

function painted(line: string, style: Style): string {
  const text = `${line.slice(0, 1)}${shown(line.slice(1))}`;
  if (line.startsWith('+')) return style.green(text);
  return line.startsWith('-') ? style.red(text) : style.dim(text);
}

function bounded(lines: string[], style: Style): string[] {
  if (lines.length <= shownLines) return lines;
  return [...lines.slice(0, shownLines), style.dim(`${count(lines.length - shownLines, 'more line')} of this diff`)];
}

function shown(text: string): string {
  const safe = sanitize(text).replaceAll('\n', '\\n');
  return safe.length > shownColumns
    ? `${safe.slice(0, shownColumns)} (${safe.length - shownColumns} more characters)`
    : safe;
}
