import { at } from '../core/origin.ts';
import { diffKind, diffLines } from './diff-lines.ts';
import { hostsOf } from './host-list.ts';
import type { PlanGroup, PlanStep, PlanTask } from './plan-fold.ts';
import { sanitize } from './sanitize.ts';
import type { Painter, Style } from './style.ts';
import { count } from './wording.ts';
import { wrapLine, wrapLines } from './wrap.ts';

export interface PageOptions {
  style: Style;
  /** Show texts line by line; otherwise each change is one line. */
  diff: boolean;
  /** Of the window: what is no diff is wrapped to it. */
  columns?: number | undefined;
}

/** Groups of hosts shown of one task; more of them are counted. */
const shownGroups = 20;

/** A task of the plan: one line where all its hosts change alike, else one line and a part for each group. */
export function taskLines(task: PlanTask, hosts: readonly string[], options: PageOptions): string[] {
  const { style, columns } = options;
  const groups = [...task.groups].sort((a, b) => b.hosts.length - a.hosts.length);
  const first = groups[0];
  if (!first) return [];
  const tail = style.dim(`  ${at(task.origin)}`);
  if (groups.length === 1)
    return [
      ...wrapLine(`${headText(task, first, hosts, style)}${tail}`, columns),
      ...bodyLines(first, '      ', options),
    ];
  const rest = groups.slice(shownGroups);
  return [
    ...wrapLine(`${mark(first, style)} ${titleText(task, style)}${tail}`, columns),
    ...groups.slice(0, shownGroups).flatMap((group) => groupLines(group, hosts, options)),
    ...moreLines(rest, style),
  ];
}

function headText(task: PlanTask, group: PlanGroup, hosts: readonly string[], style: Style): string {
  return `${mark(group, style)} ${titleText(task, style)}  ${whoText(group, hosts, style)}`;
}

function groupLines(group: PlanGroup, hosts: readonly string[], options: PageOptions): string[] {
  const { style, columns } = options;
  const head = `    ${mark(group, style).trim()} ${whoText(group, hosts, style)}`;
  return [...wrapLine(head, columns), ...bodyLines(group, '        ', options)];
}

function moreLines(rest: PlanGroup[], style: Style): string[] {
  if (rest.length === 0) return [];
  const hosts = rest.reduce((sum, group) => sum + group.hosts.length, 0);
  return [
    style.dim(
      `    and ${count(rest.length, 'more group')} on ${count(hosts, 'host')} (all of them with --output json)`,
    ),
  ];
}

function titleText(task: PlanTask, style: Style): string {
  const name = sanitize(task.name || task.module);
  const role = task.role && !name.startsWith(`${task.role} :`) ? `${task.role} : ` : '';
  return `${style.bold(`${role}${name}`)}${task.handler ? style.dim(' (handler)') : ''}`;
}

function whoText(group: PlanGroup, hosts: readonly string[], style: Style): string {
  const on = group.delegate ? ` (on ${group.delegate})` : '';
  return style.blue(`${hostsOf(group.hosts, hosts)}${on}`);
}

/** One sign a line: what becomes of the host's state. */
function mark(group: PlanGroup, style: Style): string {
  const [sign, paint] = signOf(group, style);
  return `  ${paint(sign)}`;
}

function signOf(group: PlanGroup, style: Style): [string, Painter] {
  if (group.status === 'failed' || group.status === 'unreachable') return [style.sign.failed, style.red];
  if (group.status === 'unknown') return ['?', style.cyan];
  if (group.status === 'ok' && !group.always) return [style.sign.ok, style.dim];
  if (group.always) return ['!', style.magenta];
  const kinds = new Set(group.steps.flatMap((step) => step.diff ?? []).map(diffKind));
  kinds.delete('change');
  if (kinds.size !== 1) return ['~', style.yellow];
  return kinds.has('create') ? ['+', style.green] : ['-', style.red];
}

function bodyLines(group: PlanGroup, indent: string, options: PageOptions): string[] {
  const { style, columns } = options;
  const indented = (line: string) => (line === '' ? '' : `${indent}${line}`);
  const said = [...remarks(group, style), ...itemLines(group, style)].flatMap((line) => line.split('\n'));
  return [...wrapLines(said.map(indented), columns), ...stepLines(group.steps, indented, options)];
}

function remarks(group: PlanGroup, style: Style): string[] {
  const { message, why, provisional, because, hint, notes = [], status, ignored } = group;
  return [
    status === 'failed'
      ? style.red(`would fail: ${sanitize(message ?? 'no reason given')}${ignored ? ' (ignored)' : ''}`)
      : '',
    status === 'unreachable' ? style.red(sanitize(message ?? 'not reached')) : '',
    status === 'unknown' ? style.cyan(sanitize(why ?? 'known only while applying')) : '',
    because?.length ? style.dim(`because of: ${sanitize(because.join(', '))}`) : '',
    provisional ? style.cyan(`provisional: ${sanitize(provisional)}`) : '',
    hint ? `try: ${sanitize(hint)}` : '',
    ...notes.map(sanitize),
  ].filter((line) => line !== '');
}

function itemLines(group: PlanGroup, style: Style): string[] {
  const items = group.items ?? [];
  if (items.length === 0) return [];
  const moving = items.filter((item) => item.status !== 'ok' && item.status !== 'skipped');
  const labels = moving.slice(0, 10).map((item) => sanitize(item.label));
  const more = moving.length > 10 ? ` and ${moving.length - 10} more` : '';
  return [style.dim(`${moving.length} of ${count(items.length, 'item')}: ${labels.join(', ')}${more}`)];
}

/** Diffs are told as they are, however long their lines. */
function stepLines(steps: PlanStep[], indented: (line: string) => string, options: PageOptions): string[] {
  return steps.flatMap((step) => {
    const diffs = step.diff ?? [];
    if (diffs.length === 0) return wrapLine(indented(sanitize(step.title)), options.columns);
    return diffLines(diffs, options.style, { full: options.diff }).map(indented);
  });
}
