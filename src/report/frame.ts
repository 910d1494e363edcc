import { cells } from './fit.ts';

export interface Screen {
  write(text: string): unknown;
  columns?: number;
  rows?: number;
}

/**
 * A few lines at the bottom of a terminal that are drawn over and over. One write a frame, only lines that changed
 * are sent, lines are not wrapped by the terminal while drawing; whatever else is printed goes above.
 */
export class Frame {
  private shown: string[] = [];
  private hidden = false;

  constructor(private readonly screen: Screen) {}

  draw(lines: readonly string[]) {
    if (same(lines, this.shown)) return;
    const hide = this.hidden ? '' : '\x1b[?25l';
    this.hidden = true;
    const body = lines.map((line, i) => (line === this.shown[i] ? '\r\n' : `${line}\x1b[K\r\n`)).join('');
    this.screen.write(`${hide}\x1b[?7l${this.home(this.shown.length)}${body}\x1b[J\x1b[?7h`);
    this.shown = [...lines];
  }

  /** Lasting text above the frame; `text` ends with a newline. */
  print(text: string) {
    const shown = this.shown;
    this.screen.write(`${this.home(shown.length)}\x1b[J${text.replaceAll(/\r?\n/g, '\r\n')}`);
    this.shown = [];
    this.draw(shown);
  }

  /** After the window changed: lines that no longer fit were wrapped by the terminal and take more rows now. */
  resized() {
    const columns = Math.max(1, this.screen.columns ?? 80);
    const rows = this.shown.reduce((sum, line) => sum + Math.max(1, Math.ceil(cells(line) / columns)), 0);
    if (this.shown.length > 0) this.screen.write(`${this.home(rows)}\x1b[J`);
    this.shown = [];
  }

  /** Takes the frame away and gives the cursor back. */
  clear() {
    if (this.shown.length > 0) this.screen.write(`${this.home(this.shown.length)}\x1b[J`);
    if (this.hidden) this.screen.write('\x1b[?25h');
    this.shown = [];
    this.hidden = false;
  }

  /** To the frame's first line; first wipes what the terminal echoed below it, such as ^C. */
  private home(rows: number): string {
    return `\r\x1b[K${rows > 0 ? `\x1b[${rows}A` : ''}`;
  }
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, i) => line === b[i]);
}
