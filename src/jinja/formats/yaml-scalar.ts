import { scalarType } from './yaml-resolve.ts';

export type ScalarStyle = 'plain' | 'single' | 'double';

/** Where a scalar stands decides how it may be written. */
export interface ScalarPlace {
  inFlow: boolean;
  isKey: boolean;
}

/** What libyaml looks for in a text before it chooses a style. */
export interface Analysis {
  multiline: boolean;
  plainInFlow: boolean;
  plainInBlock: boolean;
  single: boolean;
}

const breaks = '\n\r\u0085\u2028\u2029';
export const isBreak = (character: string) => breaks.includes(character);
const isBlankOrEnd = (character: string | undefined) => character === undefined || ` \t${breaks}`.includes(character);

/** libyaml knows no characters above U+FFFF: it writes them as escapes. */
export function isPrintable(character: string): boolean {
  return /^[\n -~\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]$/.test(character);
}

export function chooseStyle(text: string, analysis: Analysis, isString: boolean, place: ScalarPlace): ScalarStyle {
  if (place.isKey && analysis.multiline) return 'double';
  const plain = place.inFlow ? analysis.plainInFlow : analysis.plainInBlock;
  const empty = text === '' && (place.inFlow || place.isKey);
  const readsAsOther = isString && scalarType(text) !== 'str';
  if (plain && !empty && !readsAsOther) return 'plain';
  return analysis.single ? 'single' : 'double';
}

export function analyzeScalar(text: string): Analysis {
  if (text === '') return { multiline: false, plainInFlow: false, plainInBlock: true, single: true };
  const characters = Array.from(text);
  const indicators = findIndicators(characters);
  const edges = [characters[0]!, characters.at(-1)!].some((c) => c === ' ' || isBreak(c));
  const lines = characters.some(isBreak);
  const breakSpace = characters.some((c, i) => c === ' ' && followsBreak(characters, i));
  const broken =
    characters.some((c, i) => isBreak(c) && characters[i - 1] === ' ') || !characters.every(isPrintableOrBreak);
  const plain = !edges && !breakSpace && !broken && !lines;
  return {
    multiline: lines,
    plainInFlow: plain && !indicators.flow,
    plainInBlock: plain && !indicators.block,
    single: !breakSpace && !broken,
  };
}

const followsBreak = (characters: string[], i: number) => i > 0 && isBreak(characters[i - 1]!);
const isPrintableOrBreak = (character: string) => isPrintable(character);

function findIndicators(characters: string[]): { flow: boolean; block: boolean } {
  const start = characters.slice(0, 3).join('');
  const found = { flow: start === '---' || start === '...', block: start === '---' || start === '...' };
  characters.forEach((character, i) => {
    const spaceBehind = isBlankOrEnd(characters[i + 1]);
    const spaceBefore = i === 0 || isBlankOrEnd(characters[i - 1]);
    const { flow, block } = indicator(character, i === 0, spaceBefore, spaceBehind);
    found.flow ||= flow;
    found.block ||= block;
  });
  return found;
}

function indicator(character: string, first: boolean, spaceBefore: boolean, spaceBehind: boolean) {
  if (first && '#,[]{}&*!|>\'"%@`'.includes(character)) return { flow: true, block: true };
  if (first && '?:'.includes(character)) return { flow: true, block: spaceBehind };
  if (first && character === '-') return { flow: spaceBehind, block: spaceBehind };
  if (!first && ',?[]{}'.includes(character)) return { flow: true, block: false };
  if (!first && character === ':') return { flow: true, block: spaceBehind };
  const comment = !first && character === '#' && spaceBefore;
  return { flow: comment, block: comment };
}
