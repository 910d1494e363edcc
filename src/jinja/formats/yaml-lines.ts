import { checkText } from '../budget.ts';
import { isBreak, isPrintable } from './yaml-scalar.ts';

const escapes: Record<string, string> = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\x85': 'N',
  '\xa0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
};

/** The characters written so far, and what libyaml remembers about the last ones. */
export class YamlLines {
  private output = '';
  private column = 0;
  private whitespace = true;
  private indention = true;
  indent = -1;

  constructor(private readonly width: number) {}

  get text(): string {
    return this.output;
  }

  get isIndention(): boolean {
    return this.indention;
  }

  get beyondWidth(): boolean {
    return this.column > this.width;
  }

  private put(characters: string) {
    this.output += characters;
    this.column += Array.from(characters).length;
    checkText(this.output.length);
  }

  private breakLine(character = '\n') {
    this.output += character;
    this.column = 0;
  }

  writeIndent() {
    const indent = Math.max(0, this.indent);
    if (!this.indention || this.column > indent || (this.column === indent && !this.whitespace)) this.breakLine();
    if (this.column < indent) this.put(' '.repeat(indent - this.column));
    this.whitespace = true;
    this.indention = true;
  }

  indicator(text: string, needsSpace: boolean, isSpace = false, isIndention = false) {
    if (needsSpace && !this.whitespace) this.put(' ');
    this.put(text);
    this.whitespace = isSpace;
    this.indention = this.indention && isIndention;
  }

  plain(text: string, inFlow: boolean, allowBreaks: boolean) {
    if (!this.whitespace && (text !== '' || inFlow)) this.put(' ');
    this.words(
      Array.from(text),
      allowBreaks,
      () => false,
      (character) => character,
    );
    this.whitespace = false;
    this.indention = false;
  }

  single(text: string, allowBreaks: boolean) {
    this.indicator("'", true);
    const characters = Array.from(text);
    const atEdge = (i: number) => i === 0 || i === characters.length - 1;
    this.words(characters, allowBreaks, atEdge, (character) => (character === "'" ? "''" : character));
    this.indicator("'", false);
  }

  /** Folds at single spaces beyond the width; a line break of the text is written twice. */
  private words(
    characters: string[],
    allowBreaks: boolean,
    atEdge: (i: number) => boolean,
    quoted: (c: string) => string,
  ) {
    let [spaces, breaks] = [false, false];
    characters.forEach((character, i) => {
      if (character === ' ') {
        const fold = allowBreaks && !spaces && this.beyondWidth && !atEdge(i) && characters[i + 1] !== ' ';
        if (fold) this.writeIndent();
        else this.put(' ');
        spaces = true;
      } else if (isBreak(character)) {
        if (!breaks && character === '\n') this.breakLine();
        this.breakLine(character);
        this.indention = true;
        breaks = true;
      } else {
        if (breaks) this.writeIndent();
        this.put(quoted(character));
        this.indention = false;
        [spaces, breaks] = [false, false];
      }
    });
    if (breaks) this.writeIndent();
  }

  double(text: string, allowBreaks: boolean) {
    this.indicator('"', true);
    const characters = Array.from(text);
    let spaces = false;
    characters.forEach((character, i) => {
      const inside = i > 0 && i < characters.length - 1;
      if (character === ' ' && allowBreaks && !spaces && this.beyondWidth && inside) {
        this.writeIndent();
        if (characters[i + 1] === ' ') this.put('\\');
      } else this.put(escaped(character));
      spaces = character === ' ';
    });
    this.indicator('"', false);
  }
}

function escaped(character: string): string {
  if (isPrintable(character) && !'"\\\n'.includes(character)) return character;
  const short = escapes[character];
  if (short) return `\\${short}`;
  const code = character.codePointAt(0)!;
  const [letter, width] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8];
  return `\\${letter}${code
    .toString(16)
    .toUpperCase()
    .padStart(width as number, '0')}`;
}
