import type { Timing } from './measure.ts';
import { median, spread } from './measure.ts';

/** One table of docs/benchmarks.md. */
export interface Table {
  title: string;
  note?: string;
  head: readonly string[];
  lines: readonly (readonly string[])[];
  /** Points of a chart: seconds against a number. */
  series?: readonly Series[];
  /** What was to be reached, with what was found. */
  goals?: readonly Goal[];
}

export interface Series {
  name: string;
  points: readonly (readonly [number, number])[];
}

export interface Goal {
  what: string;
  goal: string;
  found: string;
  reached: boolean;
}

/** Contenders of one condition, side by side. */
export interface Row {
  label: string;
  timings: readonly Timing[];
}

/** Seconds of each contender, with ratios of medians to kpush's. */
export function timed(title: string, rows: readonly Row[], more: Partial<Table> = {}): Table {
  const names = [...new Set(rows.flatMap(({ timings }) => timings.map(({ name }) => name)))];
  const lines = rows.map((row) => [row.label, ...names.map((name) => cell(name, row)), ratios(row)]);
  return { title, head: ['', ...names, 'ratios to kpush'], lines, ...more };
}

/** Lines of a chart for contenders whose labels are numbers. */
export function seriesOf(rows: readonly Row[]): Series[] {
  const names = [...new Set(rows.flatMap(({ timings }) => timings.map(({ name }) => name)))];
  return names.map((name) => ({
    name,
    points: rows.flatMap((row) => {
      const seconds = secondsOf(row, name);
      return seconds === undefined ? [] : [[Number(row.label), seconds] as const];
    }),
  }));
}

/** The median of one contender. */
export function secondsOf({ timings }: Row, name: string): number | undefined {
  const timing = timings.find((each) => each.name === name);
  return timing && timing.seconds.length > 0 && !timing.failed ? median(timing.seconds) : undefined;
}

/** How many times `one` takes as long as `other`, against what it should at least (or at most) be. */
export function ratioGoal(
  what: string,
  row: Row,
  one: string,
  other: string,
  wanted: { least?: number; most?: number },
): Goal {
  const [a, b] = [secondsOf(row, one), secondsOf(row, other)];
  const goal = wanted.least === undefined ? `≤ ${wanted.most} ×` : `≥ ${wanted.least} ×`;
  if (a === undefined || b === undefined) return { what, goal, found: 'not measured', reached: false };
  const ratio = a / b;
  const reached = ratio >= (wanted.least ?? 0) && ratio <= (wanted.most ?? Number.POSITIVE_INFINITY);
  return { what, goal, found: `${ratio.toFixed(2)} ×`, reached };
}

export function limitGoal(what: string, found: number, most: number, unit: string): Goal {
  return { what, goal: `≤ ${most} ${unit}`, found: `${Math.round(found)} ${unit}`, reached: found <= most };
}

function cell(name: string, { timings }: Row): string {
  const timing = timings.find((each) => each.name === name);
  return timing ? spread(timing) : '–';
}

function ratios(row: Row): string {
  const own = secondsOf(row, 'kpush');
  if (own === undefined) return '–';
  return row.timings
    .flatMap(({ name }) => {
      const seconds = name === 'kpush' ? undefined : secondsOf(row, name);
      return seconds === undefined ? [] : [`${name} ${(seconds / own).toFixed(2)} ×`];
    })
    .join(', ');
}
