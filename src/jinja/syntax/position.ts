import type { Origin } from '../errors.ts';
import type { Position } from './ast.ts';

/** Line and column, from 1, of an offset. */
export function positionAt(source: string, offset: number): Position {
  const lineStart = source.lastIndexOf('\n', offset - 1) + 1;
  let line = 1;
  for (let at = source.indexOf('\n'); at >= 0 && at < offset; at = source.indexOf('\n', at + 1)) line++;
  return { line, column: (offset === 0 ? 0 : offset - lineStart) + 1 };
}

/** Many positions of one source, seen from where the source itself stands in a file. */
export class Positions {
  private readonly starts = [0];

  constructor(
    source: string,
    private readonly origin: Origin | undefined,
  ) {
    for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) this.starts.push(at + 1);
  }

  of(offset: number): Position {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return shift({ line: low + 1, column: offset - this.starts[low]! + 1 }, this.origin);
  }
}

export function shift(position: Position, origin: Origin | undefined): Position {
  const column = position.line === 1 ? position.column + (origin?.column ?? 1) - 1 : position.column;
  return { line: position.line + (origin?.line ?? 1) - 1, column };
}
