import { sanitize } from './sanitize.ts';

/** Markup that is safe to put into a page as it is. */
export class Markup {
  constructor(readonly text: string) {}
  toString() {
    return this.text;
  }
}

type Piece = string | number | Markup | undefined | false | readonly Piece[];

/** Markup from a template: every value that is not markup itself is text, escaped, without control characters. */
export function html(strings: TemplateStringsArray, ...values: Piece[]): Markup {
  return new Markup(strings.map((part, i) => `${part}${pieceText(values[i])}`).join(''));
}

function pieceText(piece: Piece): string {
  if (piece === undefined || piece === false) return '';
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === 'object') return piece.map(pieceText).join('');
  return sanitize(String(piece)).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
