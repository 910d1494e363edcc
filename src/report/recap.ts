import type { RunEvent } from '../core/events.ts';
import type { HostCounts } from './counts.ts';
import { failureLines } from './failure-lines.ts';
import { type Failure, failures } from './failures.ts';
import { type Fold, type Summary, summary } from './fold.ts';
import { hostList } from './host-list.ts';
import { sanitize } from './sanitize.ts';
import type { Style } from './style.ts';
import { type GateTime, type Timings, timings, type WaveTime } from './timings.ts';
import { count, duration } from './wording.ts';
import { wrapLine, wrapLines } from './wrap.ts';

export interface RecapModel {
  run: string;
  summary: Summary;
  timings: Timings;
  failures: Failure[];
}

export interface RecapOptions {
  style: Style;
  /** Width of the terminal; absent: as wide as need be. */
  columns?: number | undefined;
  /** What the user may type next, a command or a sentence a line. */
  next: string[];
}

/** All that the end of a run tells. */
export function recapModel(options: { detailed?: boolean } = {}): Fold<RecapModel> {
  const folds = { summary: summary(options), timings: timings(), failures: failures() };
  let run = '';
  return {
    add: (event: RunEvent) => {
      if (event.type === 'run-start') run = event.run;
      for (const fold of Object.values(folds)) fold.add(event);
    },
    value: () => ({
      run,
      summary: folds.summary.value(),
      timings: folds.timings.value(),
      failures: folds.failures.value(),
    }),
  };
}

/** The end of a run for a person: failures first, then figures, the verdict last. */
export function recapText(model: RecapModel, options: RecapOptions): string {
  const { style, columns: width } = options;
  const sections = [
    ...model.failures.map((failure) => failureLines(failure, style, width)),
    countLines(model.summary.hosts, options),
    ...[
      waveTimes(model.timings.waves, style),
      slowest(model.timings, style),
      gateLines(model.timings.gates, style),
    ].map((lines) => wrapLines(lines, width)),
    verdict(model, options),
  ];
  const shown = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${shown.join('\n\n')}\n`;
}

type Column = keyof HostCounts;
const columns: Column[] = ['ok', 'changed', 'skipped', 'failed', 'unreachable', 'rescued', 'ignored', 'unknown'];
const always = new Set<Column>(['ok', 'changed', 'failed']);
const paints: Partial<Record<Column, 'green' | 'yellow' | 'red' | 'cyan'>> = {
  ok: 'green',
  changed: 'yellow',
  failed: 'red',
  unreachable: 'red',
  unknown: 'cyan',
};

/** More hosts than this are shown by equal counts, several in a line. */
const shownHosts = 30;

function countLines(hosts: ReadonlyMap<string, HostCounts>, { style, columns: width }: RecapOptions): string[] {
  const told = [...hosts].filter(([, counts]) => columns.some((column) => counts[column] > 0));
  if (told.length === 0) return [];
  const shown = columns.filter((column) => always.has(column) || told.some(([, counts]) => counts[column] > 0));
  const rows: [string, HostCounts][] = told.length > shownHosts ? alike(told) : told;
  const label = Math.max(4, ...rows.map(([name]) => name.length));
  const table = label + shown.reduce((sum, column) => sum + 2 + Math.max(column.length, 4), 0);
  if (width !== undefined && table >= width) return rows.map(([name, counts]) => countSentence(name, counts, style));
  const cell = (column: Column, counts: HostCounts) => {
    const text = String(counts[column]).padStart(Math.max(column.length, 4));
    const paint = paints[column];
    return paint && counts[column] > 0 ? style[paint](text) : text;
  };
  const head = shown.map((column) => column.padStart(4)).join('  ');
  return [
    style.dim(`${'host'.padEnd(label)}  ${head}`),
    ...rows.map(([name, counts]) => `${name.padEnd(label)}  ${shown.map((column) => cell(column, counts)).join('  ')}`),
  ];
}

/** For windows in which the table would break. */
function countSentence(name: string, counts: HostCounts, style: Style): string {
  const told = columns.filter((column) => column === 'ok' || counts[column] > 0);
  return `${name}: ${told.map((column) => style[paints[column] ?? 'dim'](`${column} ${counts[column]}`)).join(', ')}`;
}

function alike(hosts: [string, HostCounts][]): [string, HostCounts][] {
  const groups = new Map<string, { names: string[]; counts: HostCounts }>();
  for (const [name, counts] of hosts) {
    const key = columns.map((column) => counts[column]).join();
    const group = groups.get(key) ?? { names: [], counts };
    groups.set(key, group);
    group.names.push(name);
  }
  return [...groups.values()].map(({ names, counts }) => [`${hostList(names, 4)} (${names.length})`, counts]);
}

function waveTimes(waves: WaveTime[], style: Style): string[] {
  if (waves.length < 2) return [];
  const lines = waves.map(({ wave, name, start, end }) => {
    const time = end === undefined ? 'not ended' : duration(end - start);
    return `  ${time.padStart(9)}  wave ${wave}: ${sanitize(name)}`;
  });
  return [style.dim('time per wave'), ...lines];
}

function slowest({ tasks }: Timings, style: Style): string[] {
  const slow = tasks.filter((task) => task.max >= 500).slice(0, 5);
  if (slow.length === 0) return [];
  const lines = slow.map(({ name, task, max, maxHost, hosts }) => {
    const on = hosts > 1 ? `${maxHost}, slowest of ${hosts}` : maxHost;
    return `  ${duration(max).padStart(9)}  ${sanitize(name || task)}  ${style.dim(on)}`;
  });
  return [style.dim('slowest tasks'), ...lines];
}

function gateLines(gates: GateTime[], style: Style): string[] {
  if (gates.length === 0) return [];
  const lines = gates.map(({ name, passed, failed, max, attempts, reason }) => {
    const state = failed > 0 ? style.red(`failed for ${failed}, passed for ${passed}`) : `passed for ${passed}`;
    const last = reason ? `  last answer: ${sanitize(reason)}` : '';
    return `  ${duration(max).padStart(9)}  ${sanitize(name)}  ${state}, ${count(attempts, 'attempt')} at most${last}`;
  });
  return [style.dim('gates'), ...lines];
}

function verdict({ summary }: RecapModel, { style, next, columns: width }: RecapOptions): string[] {
  const hosts = [...summary.hosts.values()];
  const changed = hosts.reduce((sum, counts) => sum + counts.changed, 0);
  const touched = hosts.filter((counts) => counts.changed > 0).length;
  const what = changed > 0 ? `${changed} changed on ${count(touched, 'host')}` : 'nothing changed';
  const failed = hosts.filter((counts) => counts.failed > 0 || counts.unreachable > 0).length;
  const end = `${what}, in ${duration(summary.seconds * 1000)}`;
  const bad = `${summary.class}: ${failed} of ${count(hosts.length, 'host')} failed; ${end}; exit code ${summary.exit}`;
  const line = summary.ok ? style.green(`${style.sign.ok} ${end}`) : style.red(`${style.sign.failed} ${bad}`);
  return [...wrapLine(line, width), ...(next.length ? ['next:', ...next.map((text) => `  ${text}`)] : [])];
}
