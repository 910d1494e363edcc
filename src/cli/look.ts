import { createStyle, type Style } from '../report/style.ts';
import type { Io, Terminal } from './io.ts';

/** Whether a stream gets colour: --no-color, NO_COLOR, FORCE_COLOR, TERM, then whether it is a terminal. */
export function styleFor(io: Io, stream: Terminal, options: { color?: boolean }): Style {
  return createStyle({ color: hasColor(io.env, stream, options.color), unicode: hasUnicode(io.env) });
}

/** A person watches and may be asked: a terminal that is neither dumb nor CI's. */
export function isInteractive(io: Io): boolean {
  return io.stdout.isTTY === true && !isCi(io.env) && io.env.TERM !== 'dumb';
}

export function isCi(env: Io['env']): boolean {
  return env.CI !== undefined && env.CI !== '' && env.CI !== 'false' && env.CI !== '0';
}

function hasColor(env: Io['env'], stream: Terminal, option: boolean | undefined): boolean {
  if (option === false) return false;
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return stream.isTTY === true && env.TERM !== 'dumb';
}

function hasUnicode(env: Io['env']): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return env.TERM !== 'linux' && (/utf-?8/i.test(locale) || locale === '');
}
