import type { Dice } from '../../support/dice.ts';

type Change = (input: Buffer, dice: Dice, tools: Tools) => Buffer;

interface Tools {
  words: readonly string[];
  /** Another input, to take a piece from. */
  other: Buffer;
}

/** Larger inputs say nothing new, and take longer. */
const largest = 64 * 1024;

/** The input with one to `most` places changed. */
export function mutated(input: Buffer, dice: Dice, tools: Tools, most = 6): Buffer {
  let made = input;
  for (let left = 1 + dice.below(most); left > 0; left--) made = dice.of(changes)(made, dice, tools);
  return made.subarray(0, largest);
}

const changes: readonly Change[] = [
  cut,
  cut,
  (input, dice, { words }) => put(input, dice, 0, word(dice, words)),
  (input, dice, { words }) => put(input, dice, dice.below(12), word(dice, words)),
  (input, dice, { words }) => put(input, dice, 1, word(dice, words)),
  (input, dice) => put(input, dice, 1, Buffer.from([dice.below(256)])),
  (input, dice) => put(input, dice, 0, Buffer.from(dice.of(odd))),
  (input, dice) => put(input, dice, dice.below(40), piece(input, dice)),
  (input, dice, { other }) => put(input, dice, dice.below(40), piece(other, dice)),
  repeated,
  numbered,
  linesSwapped,
];

/** What readers of any grammar stumble over. */
const odd = [
  ...['\0', '\n', '\r\n', '\r', '\t', ' ', '\u0085', '\u00a0', '\u2028', '\ufeff', '\u001b[2J', '\ud83d\ude00', 'İ'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    '-',
    '--',
    '"',
    "'",
    '\\',
    '`',
    '$(id)',
    '../',
    '/',
    '*',
    '[',
    ']',
    '{',
    '}',
  ],
];

const numbers = [
  '0',
  '-1',
  '1e9',
  '007',
  '2147483648',
  '4294967295',
  '9007199254740993',
  '99999999999999999999',
  '0x10',
];

function word(dice: Dice, words: readonly string[]): Buffer {
  return Buffer.from(dice.of(words), 'latin1');
}

function place(input: Buffer, dice: Dice): number {
  return dice.below(input.length + 1);
}

function put(input: Buffer, dice: Dice, instead: number, what: Buffer): Buffer {
  const at = place(input, dice);
  return Buffer.concat([input.subarray(0, at), what, input.subarray(at + instead)]);
}

function cut(input: Buffer, dice: Dice): Buffer {
  return put(input, dice, 1 + dice.below(dice.chance(4) ? input.length + 1 : 20), Buffer.alloc(0));
}

function piece(input: Buffer, dice: Dice): Buffer {
  const at = place(input, dice);
  return input.subarray(at, at + 1 + dice.below(60));
}

/** A short piece a few times, or a thousand: what is nested or listed without end. */
function repeated(input: Buffer, dice: Dice): Buffer {
  const at = place(input, dice);
  const short = input.subarray(at, at + 1 + dice.below(8));
  const times = dice.chance(6) ? 2000 : 2 + dice.below(8);
  return Buffer.concat([input.subarray(0, at), ...Array.from({ length: times }, () => short), input.subarray(at)]);
}

function numbered(input: Buffer, dice: Dice): Buffer {
  const places = [...input.toString('latin1').matchAll(/\d+/g)];
  if (places.length === 0) return input;
  const { index, 0: digits } = dice.of(places);
  const number = Buffer.from(dice.of(numbers));
  return Buffer.concat([input.subarray(0, index), number, input.subarray(index + digits.length)]);
}

function linesSwapped(input: Buffer, dice: Dice): Buffer {
  const lines = input.toString('latin1').split('\n');
  const [a, b] = [dice.below(lines.length), dice.below(lines.length)];
  [lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? ''];
  return Buffer.from(lines.join('\n'), 'latin1');
}
