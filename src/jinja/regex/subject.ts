const surrogate = /[\ud800-\udfff]/;

/** A text by code points, as Python counts. */
export class Subject {
  private readonly points?: Uint32Array;
  readonly length: number;

  constructor(readonly text: string) {
    if (surrogate.test(text)) this.points = Uint32Array.from(text, (character) => character.codePointAt(0)!);
    this.length = this.points?.length ?? text.length;
  }

  code(position: number): number {
    return this.points ? this.points[position]! : this.text.charCodeAt(position);
  }

  slice(start: number, end: number): string {
    if (!this.points) return this.text.slice(start, end);
    let result = '';
    for (let i = start; i < end; i++) result += String.fromCodePoint(this.points[i]!);
    return result;
  }
}
