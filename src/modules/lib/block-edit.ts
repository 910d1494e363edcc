import { bare, ended, linesOf } from './lines.ts';
import { regex } from './regex.ts';

/** Parameters of blockinfile that decide about the text. */
export interface BlockEdit {
  state: string;
  block: string;
  marker: string;
  marker_begin: string;
  marker_end: string;
  insertafter?: string | undefined;
  insertbefore?: string | undefined;
}

/** The text with its block as wanted. */
export function changeBlock(text: string, given: BlockEdit): { text: string; msg: string } {
  const begin = given.marker.replaceAll('{mark}', given.marker_begin);
  const end = given.marker.replaceAll('{mark}', given.marker_end);
  const wanted = given.state === 'present' && given.block !== '' ? `${begin}\n${ended(given.block)}${end}\n` : '';
  const lines = linesOf(text);
  const { from, to } = place(lines, begin, end, given);
  const before = lines.slice(0, from).join('');
  const after = lines.slice(to).join('');
  const next = wanted === '' ? before + after : ended(before) + wanted + after;
  if (next === text) return { text, msg: '' };
  return { text: next, msg: wanted === '' ? 'Block removed' : 'Block inserted' };
}

/** The lines of the block there is (the last one), else an empty range where a new one goes. */
function place(lines: string[], begin: string, end: string, given: BlockEdit): { from: number; to: number } {
  const [first, last] = [begin, end].map((marker) => lines.findLastIndex((line) => bare(line) === marker)) as [
    number,
    number,
  ];
  if (first >= 0 && last >= 0) return { from: Math.min(first, last), to: Math.max(first, last) + 1 };
  const at = insertion(lines, given);
  return { from: at, to: at };
}

function insertion(lines: string[], { insertafter, insertbefore }: BlockEdit): number {
  if (insertbefore === 'BOF') return 0;
  const source = insertbefore ?? insertafter;
  if (source === undefined || source === 'EOF') return lines.length;
  const pattern = regex(source, insertbefore === undefined ? 'insertafter' : 'insertbefore');
  const found = lines.findLastIndex((line) => pattern.search(line) !== undefined);
  if (found < 0) return lines.length;
  return insertbefore === undefined ? found + 1 : found;
}
