import xterm from '@xterm/headless';

/** A terminal without a window: what a person would see after the bytes written to it. */
export class Terminal {
  private readonly inner: InstanceType<typeof xterm.Terminal>;
  /** Writes that changed something, with their time: frames. */
  readonly writes: { at: number; text: string }[] = [];
  private listeners = new Set<() => void>();

  constructor(
    public columns: number,
    public rows: number,
  ) {
    this.inner = new xterm.Terminal({
      cols: columns,
      rows,
      allowProposedApi: true,
      convertEol: true,
      scrollback: 5000,
    });
  }

  write(text: string) {
    this.writes.push({ at: performance.now(), text });
    this.inner.write(text);
    return true;
  }

  on(_event: 'resize', listener: () => void) {
    this.listeners.add(listener);
  }

  off(_event: 'resize', listener: () => void) {
    this.listeners.delete(listener);
  }

  resize(columns: number, rows: number) {
    Object.assign(this, { columns, rows });
    this.inner.resize(columns, rows);
    for (const listener of this.listeners) listener();
  }

  /** Every line from the top of the scrollback, without blanks at the ends. */
  async text(): Promise<string> {
    await new Promise<void>((done) => this.inner.write('', done));
    const buffer = this.inner.buffer.active;
    const lines = Array.from({ length: buffer.length }, (_, i) => buffer.getLine(i)?.translateToString(true) ?? '');
    return `${lines.join('\n').trimEnd()}\n`;
  }

  /** Rows the cursor is below the top of what was ever shown. */
  async height(): Promise<number> {
    await new Promise<void>((done) => this.inner.write('', done));
    return this.inner.buffer.active.baseY + this.inner.buffer.active.cursorY;
  }
}
