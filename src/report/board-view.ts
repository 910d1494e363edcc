import type { Board, BoardWave } from './board.ts';
import { failedHosts, failedRows, gateRows, hostRows, quietRows, type ViewOptions } from './board-rows.ts';
import { cells, fit } from './fit.ts';
import { count, duration } from './wording.ts';

/** The lines of a live frame: at most `rows - 4`, each narrower than the terminal. */
export function boardView(board: Board, options: ViewOptions): string[] {
  const budget = Math.max(4, options.rows - 4);
  const footer = [footerLine(board, options)];
  const lines = [...waveLines(board, options, budget - footer.length), ...footer];
  return lines.slice(0, budget).map((line) => fit(line, options.columns - 1));
}

/** What stays on the screen when the run is over: a line a wave and the failed hosts. */
export function closingView(board: Board, options: ViewOptions): string[] {
  const lines = [...board.waves.values()].flatMap((wave) => [
    waveLine(board, wave, options),
    ...(wave.state === 'failed' ? failedRows(board, wave, options, 10) : []),
  ]);
  return lines.map((line) => fit(line, options.columns - 1));
}

function waveLines(board: Board, options: ViewOptions, budget: number): string[] {
  const waves = [...board.waves.values()];
  const at = waves.findIndex((wave) => wave.state === 'running');
  const current = waves[at];
  const split = current ? at : waves.filter((wave) => wave.state !== 'pending').length;
  const room = Math.max(1, Math.floor(budget / 6));
  const past = folded(waves.slice(0, split), room, (wave) => waveLine(board, wave, options), options);
  const next = folded(waves.slice(current ? at + 1 : split), room, (wave) => waveLine(board, wave, options), options);
  if (!current) return [...past, ...next];
  const body = bodyLines(board, current, options, budget - past.length - next.length - 1);
  return [...past, waveLine(board, current, options), ...body, ...next];
}

/** Waves beyond what there is room for become one line. */
function folded(waves: BoardWave[], room: number, line: (wave: BoardWave) => string, { style }: ViewOptions): string[] {
  if (waves.length <= room) return waves.map(line);
  const last = waves.at(-1);
  if (last?.state === 'pending') {
    const shown = waves.slice(0, room - 1);
    return [...shown.map(line), style.dim(`${style.sign.pending} ${count(waves.length - shown.length, 'more wave')}`)];
  }
  const shown = waves.slice(waves.length - room + 1);
  const hidden = waves.slice(0, waves.length - shown.length);
  const failed = hidden.filter((wave) => wave.state === 'failed').length;
  const text = `${count(hidden.length, 'earlier wave')}${failed ? `, ${failed} with failures` : ''}`;
  const sign = failed ? style.red(style.sign.failed) : style.green(style.sign.ok);
  return [`${sign} ${text}`, ...shown.map(line)];
}

/** The name gives way where the line is too long, the figures stay. */
function waveLine(board: Board, wave: BoardWave, options: ViewOptions): string {
  const { style, columns } = options;
  const waves = [...board.waves.keys()];
  const place = `${waves.indexOf(wave.play) + 1}${columns < 60 ? '/' : ' of '}${waves.length}`;
  const head = columns < 60 ? place : `Wave ${place} `;
  const facts = waveFacts(board, wave, options).join(columns < 60 ? ' ' : '  ');
  const name = fit(wave.name, Math.max(6, columns - cells(`x ${head}   ${facts}`) - 1));
  if (wave.state === 'pending') return style.dim(`${style.sign.pending} ${head} ${name}  ${facts}`);
  return `${waveSign(wave, options)} ${head} ${style.bold(name)}  ${facts}`;
}

function waveSign(wave: BoardWave, options: ViewOptions): string {
  const { style } = options;
  if (wave.state === 'running') return style.cyan(spinner(options));
  return wave.state === 'failed' ? style.red(style.sign.failed) : style.green(style.sign.ok);
}

function waveFacts(board: Board, wave: BoardWave, { style, now, columns }: ViewOptions): string[] {
  if (wave.state === 'pending') return [count(wave.hosts.length, 'host')];
  const isRunning = wave.state === 'running';
  const failed = failedHosts(board, wave).length;
  const change = board.phase === 'plan' ? `${wave.changed} to change` : `${wave.changed} changed`;
  const facts = [
    isRunning && wave.batches.length > 1 && columns >= 60
      ? `batch ${Math.max(1, wave.batch)} of ${wave.batches.length}`
      : '',
    isRunning ? progressText(board, wave, columns) : columns < 60 ? '' : count(wave.hosts.length, 'host'),
    wave.changed > 0 && columns >= 60 ? style.yellow(change) : '',
    failed > 0 ? style.red(`${failed} failed`) : '',
    style.dim(duration((isRunning ? now : wave.end) - wave.start)),
  ];
  return facts.filter((fact) => fact !== '');
}

function progressText(board: Board, wave: BoardWave, columns: number): string {
  const done = wave.hosts.filter((host) => board.hosts.get(host)?.state === 'done').length;
  if (columns < 60) return `${done}/${wave.hosts.length}`;
  return `${done} of ${count(wave.hosts.length, 'host')} done`;
}

/** Failed hosts and gates have their place whatever happens; hosts at work share the rest. */
function bodyLines(board: Board, wave: BoardWave, options: ViewOptions, budget: number): string[] {
  const share = Math.max(1, Math.floor(budget / 3));
  const failed = failedRows(board, wave, options, share);
  const gates = gateRows(wave, options, share);
  const quiet = quietRows(board, wave, options);
  const room = budget - failed.length - gates.length - quiet.length;
  return [...failed, ...gates, ...hostRows(board, wave, options, room), ...quiet].slice(0, Math.max(0, budget));
}

function footerLine(board: Board, { now, style }: ViewOptions): string {
  const elapsed = duration(now - board.start);
  const running = [...board.hosts.values()].filter((host) => host.state === 'running').length;
  if (board.interrupts === 1)
    return style.yellow(`stopping: ${count(running, 'running step')} may end; Ctrl-C again ends them  ${elapsed}`);
  if (board.interrupts > 1) return style.red(`ending what runs; Ctrl-C again leaves at once  ${elapsed}`);
  return style.dim(`${board.phase === 'plan' ? 'planning' : 'applying'} ${board.title}  ${elapsed}`);
}

function spinner({ style, frame }: ViewOptions): string {
  return style.sign.spinner[frame % style.sign.spinner.length] ?? '';
}
