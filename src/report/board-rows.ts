import { nameless } from './alike.ts';
import { type Board, type BoardGate, type BoardHost, type BoardWave, hostOf, isOut } from './board.ts';
import { cells, fit, pad } from './fit.ts';
import { hostList } from './host-list.ts';
import type { Style } from './style.ts';
import { count, duration } from './wording.ts';

export interface ViewOptions {
  /** Size of the terminal. */
  rows: number;
  columns: number;
  /** Milliseconds since the epoch. */
  now: number;
  style: Style;
  /** Frame number, for the spinner. */
  frame: number;
}

/** Seconds without output after which a running step is called silent. */
const silentAfter = 10_000;

/** Hosts at work: two lines each while there is room, then one, then hosts that do the same share one. */
export function hostRows(board: Board, wave: BoardWave, options: ViewOptions, room: number): string[] {
  const hosts = wave.hosts.map((name) => hostOf(board, name)).filter(isAtWork);
  if (room <= 0) return [];
  const label = labelWidth(hosts, options);
  if (hosts.length <= room) {
    const two = hosts.map((host) => twoLines(host, label, options));
    if (two.flat().length <= room) return two.flat();
    return hosts.map((host) => oneLine(host, label, options));
  }
  return groupRows(hosts, options, room);
}

export function failedRows(board: Board, wave: BoardWave, options: ViewOptions, room: number): string[] {
  const { style } = options;
  const failed = failedHosts(board, wave);
  const groups = groupBy(failed, (host) => nameless(failedWhy(host), host.name));
  const rows = [...groups].map(([alike, hosts]) => {
    const message = hosts.length > 1 ? alike : failedWhy(hosts[0]!);
    const names = hostList(
      hosts.map((host) => host.name),
      4,
    );
    return `  ${style.red(`${style.sign.failed} ${names}`)}  ${message}`;
  });
  if (rows.length <= room) return rows;
  const rest = [...groups.values()].slice(room - 1).flat();
  return [
    ...rows.slice(0, room - 1),
    style.red(`  ${style.sign.failed} and ${count(rest.length, 'more failed host')}`),
  ];
}

function failedWhy({ message, state }: BoardHost): string {
  return message || (state === 'unreachable' ? 'unreachable' : 'failed');
}

/** Of a wave that is over those it lost, of the running one those that are out. */
export function failedHosts(board: Board, wave: BoardWave): BoardHost[] {
  if (wave.end > 0) return wave.failed.map((name) => hostOf(board, name));
  const hosts = wave.hosts.map((name) => hostOf(board, name));
  return hosts.filter((host) => isOut(host) && host.state !== 'stopped');
}

export function gateRows(wave: BoardWave, options: ViewOptions, room: number): string[] {
  const gates = [...wave.gates.values()].filter((gate) => gate.state !== 'passed');
  return gates.slice(0, room).map((gate) => gateRow(gate, options));
}

/** One line for the hosts that need no watching. */
export function quietRows(board: Board, wave: BoardWave, { style }: ViewOptions): string[] {
  const of = (state: BoardHost['state']) => wave.hosts.filter((name) => hostOf(board, name).state === state);
  const part = (sign: string, hosts: string[], text: string) =>
    hosts.length > 0 ? `${sign} ${hostList(hosts, 3)} ${text}` : '';
  const parts = [
    part(style.sign.ok, of('done'), 'done'),
    part(style.sign.waiting, of('stopped'), 'stopped'),
    part(style.sign.pending, of('pending'), 'not started'),
  ].filter((text) => text !== '');
  return parts.length > 0 ? [style.dim(`  ${parts.join('  ')}`)] : [];
}

function gateRow(gate: BoardGate, { style, now }: ViewOptions): string {
  const asked = [...gate.waiting.values()];
  const hosts = hostList([...new Set(asked.map((one) => one.host))], 4);
  const answer = asked.at(-1)?.reason ?? '';
  const last = answer ? `  last answer: ${answer}` : '';
  if (gate.state === 'failed')
    return `  ${style.red(`${style.sign.failed} gate ${gate.name}`)}  failed on ${hosts}${last}`;
  const wait = style.dim(duration(now - gate.since));
  return `  ${style.magenta(style.sign.gate)} gate ${style.bold(gate.name)}  waits for ${hosts}  ${wait}${last}`;
}

function isAtWork(host: BoardHost): boolean {
  return !isOut(host) && host.state !== 'done' && host.state !== 'pending';
}

function labelWidth(hosts: BoardHost[], { columns }: ViewOptions): number {
  const longest = Math.max(0, ...hosts.map((host) => cells(host.name)));
  return Math.min(longest, Math.max(6, Math.floor(columns * 0.3)));
}

function twoLines(host: BoardHost, label: number, options: ViewOptions): string[] {
  const live = host.live ? [options.style.dim(`    ${' '.repeat(label)}  ${host.live}`)] : [];
  return [hostLine(host, label, options), ...live];
}

/** The live line follows on the same line where it is not crowded out. */
function oneLine(host: BoardHost, label: number, options: ViewOptions): string {
  const line = hostLine(host, label, options);
  const left = options.columns - cells(line) - 4;
  return host.live && left >= 12 ? `${line}  ${options.style.dim(fit(host.live, left))}` : line;
}

function hostLine(host: BoardHost, label: number, options: ViewOptions): string {
  const { style } = options;
  const elapsed = style.dim(duration(options.now - host.since));
  const text = `  ${signOf(host, options)} ${style.blue(pad(host.name, label))}  ${doing(host)}`;
  const silent = silence(host, options);
  const tail = `  ${elapsed}${silent ? `  ${style.yellow(silent)}` : ''}`;
  return `${fit(text, Math.max(label + 8, options.columns - 1 - cells(tail)))}${tail}`;
}

function doing(host: BoardHost): string {
  if (host.state === 'connecting') return `connecting to ${host.doing}`;
  if (host.state === 'waiting') return `waits for ${host.doing}`;
  if (host.state === 'asking') return 'asking';
  return host.step ? `${host.doing} (${host.step})` : host.doing;
}

function silence(host: BoardHost, { now }: ViewOptions): string {
  const quiet = now - host.heard;
  return host.state === 'running' && quiet >= silentAfter ? `silent for ${duration(quiet)}` : '';
}

function signOf(host: BoardHost, { style, frame }: ViewOptions): string {
  if (host.state === 'waiting') return style.dim(style.sign.waiting);
  return style.cyan(style.sign.spinner[frame % style.sign.spinner.length] ?? '');
}

/** Hosts that do the same, biggest group first; what does not fit is counted in the last row. */
function groupRows(hosts: BoardHost[], options: ViewOptions, room: number): string[] {
  const { style } = options;
  const groups = [...groupBy(hosts, doing)].sort((a, b) => b[1].length - a[1].length);
  const rows = groups.map(([text, members]) => {
    const since = Math.min(...members.map((host) => host.since));
    const names = hostList(
      members.map((host) => host.name),
      3,
    );
    const sign = members[0] ? signOf(members[0], options) : '';
    return `  ${sign} ${text}  ${style.blue(names)}  ${style.dim(`${count(members.length, 'host')}, ${duration(options.now - since)}`)}`;
  });
  if (rows.length <= room) return rows;
  const rest = groups.slice(room - 1).reduce((sum, [, members]) => sum + members.length, 0);
  return [...rows.slice(0, room - 1), style.dim(`  ${style.sign.more} ${count(rest, 'more host')} at work`)];
}

function groupBy<T>(items: T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
