/** Colours and signs of one output. Without colour every painter returns its text. */
export interface Style {
  bold: Painter;
  dim: Painter;
  red: Painter;
  green: Painter;
  yellow: Painter;
  blue: Painter;
  magenta: Painter;
  cyan: Painter;
  sign: Signs;
  color: boolean;
}

export type Painter = (text: string) => string;

export interface Signs {
  ok: string;
  failed: string;
  waiting: string;
  pending: string;
  gate: string;
  arrow: string;
  rule: string;
  more: string;
  dot: string;
  spinner: readonly string[];
}

export function createStyle(options: { color: boolean; unicode: boolean }): Style {
  const paint = (open: number, close: number): Painter =>
    options.color ? (text) => (text === '' ? '' : `\x1b[${open}m${text}\x1b[${close}m`) : (text) => text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    blue: paint(34, 39),
    magenta: paint(35, 39),
    cyan: paint(36, 39),
    sign: options.unicode ? unicodeSigns : asciiSigns,
    color: options.color,
  };
}

const unicodeSigns: Signs = {
  ok: '✔',
  failed: '✖',
  waiting: '◌',
  pending: '○',
  gate: '◆',
  arrow: '→',
  rule: '─',
  more: '…',
  dot: '·',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
};

const asciiSigns: Signs = {
  ok: '+',
  failed: 'x',
  waiting: 'o',
  pending: '.',
  gate: '#',
  arrow: '->',
  rule: '-',
  more: '...',
  dot: '-',
  spinner: ['-', '\\', '|', '/'],
};

/** For files, tests and pipes. */
export const plainStyle: Style = createStyle({ color: false, unicode: true });
