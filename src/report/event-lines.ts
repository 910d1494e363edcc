import type { GateEvent, RunEvent, TaskEvent } from '../core/events.ts';
import { at } from '../core/origin.ts';
import { diffLines } from './diff-lines.ts';
import { hostList } from './host-list.ts';
import { sanitize, sanitizeLine } from './sanitize.ts';
import type { Style } from './style.ts';
import { count, duration, lastLines } from './wording.ts';

export interface LineOptions {
  style: Style;
  /** 0 to 4. */
  verbosity: number;
  diff: boolean;
  /** An error with the line of the file it is about; absent: with its place alone. */
  frame?(event: Extract<RunEvent, { type: 'error' }>): string;
}

/** What an event is worth in a log: lines that each begin with their host, none for what is below the verbosity. */
export function eventLines(event: RunEvent, options: LineOptions): string[] {
  const lines = writers[event.type] as ((event: RunEvent, options: LineOptions) => string[]) | undefined;
  return lines?.(event, options) ?? [];
}

/** Whether it is about the run rather than of it: shown on stderr. */
export function isNotice(event: RunEvent): boolean {
  return event.type === 'warning' || event.type === 'error' || event.type === 'interrupt';
}

type Writers = {
  [T in RunEvent['type']]?: (event: Extract<RunEvent, { type: T }>, options: LineOptions) => string[];
};

const writers: Writers = {
  'run-start': ({ verb, playbook, hosts, run }) => [
    sanitizeLine(`kpush ${verb} ${playbook} on ${count(hosts.length, 'host')}, run ${run}`),
  ],
  phase: ({ phase }, { verbosity }) => (verbosity > 0 ? [`phase: ${phase}`] : []),
  'play-start': ({ wave, waves, name, hosts }, { style }) => [
    style.bold(
      sanitizeLine(
        `wave ${wave} of ${waves}: ${name}, ${count(hosts.length, 'host')}${hosts.length > 0 ? ` (${hostList(hosts, 4)})` : ''}`,
      ),
    ),
  ],
  'batch-start': ({ batch, hosts }, { verbosity }) => (verbosity > 0 ? [`batch ${batch}: ${hostList(hosts)}`] : []),
  'play-end': ({ failed }) => (failed.length ? [`wave ended with failures on ${hostList(failed)}`] : []),
  connecting: ({ host, address }, o) => detail(2, o, host, `connecting to ${address}`),
  connected: ({ host, ms }, o) => detail(2, o, host, `connected in ${duration(ms)}`),
  trip: ({ host, purpose, questions, steps, sent, received, ms }, o) =>
    detail(
      3,
      o,
      host,
      `${purpose}: ${questions} questions, ${steps} steps, ${sent} B sent, ${received} B back, ${ms} ms`,
    ),
  'step-start': ({ host, name, title }, o) =>
    detail(1, o, host, `begins ${name === title ? title : `${name}: ${title}`}`),
  'step-output': ({ host, text, stream }, o) =>
    o.verbosity > 0 ? text.split('\n').flatMap((line) => outputLine(host, stream, line)) : [],
  'step-end': ({ host, key, rc, ms }, o) => detail(2, o, host, `step ${key} ended, exit code ${rc}, ${duration(ms)}`),
  task: taskLines,
  gate: gateLines,
  waiting: ({ host, what, for: hosts }, o) => detail(1, o, host, `waits for ${what} ${hostList(hosts)}`),
  probe: ({ host, command, origin }, o) => detail(1, o, host, `probe ${at(origin)}: ${command}`),
  'host-lost': ({ host, kind, message, facts }, { style }) =>
    prefixed(host, [
      style.red(`${kind === 'unreachable' || kind === 'auth' ? 'UNREACHABLE' : 'LOST'}: ${sanitizeLine(message)}`),
      ...(facts.hint ? [`try: ${sanitizeLine(facts.hint)}`] : []),
    ]),
  warning: ({ host, message, origin }, { style }) => {
    const text = `${style.yellow('warning:')} ${sanitizeLine(message)}${origin ? `  ${at(origin)}` : ''}`;
    return host === undefined ? [text] : prefixed(host, [text]);
  },
  error: (event, { style, frame }) => {
    const text = `${style.red('error:')} ${frame?.(event) ?? placed(event)}`;
    return event.host === undefined ? text.split('\n') : prefixed(event.host, [text]);
  },
  interrupt: ({ count: nth, running }, { style }) => {
    const what = running.map(({ host, title }) => sanitizeLine(`${host}: ${title}`)).join(', ') || 'nothing';
    const text =
      nth === 1 ? `interrupted: no step starts any more; still running: ${what}` : `interrupted again: ending ${what}`;
    return [style.yellow(text)];
  },
};

function placed({ message, facts }: Extract<RunEvent, { type: 'error' }>): string {
  const place = facts.origin ? `${at(facts.origin)}: ` : '';
  return `${place}${sanitize(message)}${facts.hint ? `\ntry: ${sanitize(facts.hint)}` : ''}`;
}

function taskLines(event: TaskEvent, options: LineOptions): string[] {
  if (!isTold(event, options)) return [];
  const { style } = options;
  const word = wordOf(event, style);
  const time = event.ms >= 500 ? style.dim(`  ${duration(event.ms)}`) : '';
  const reason = reasonOf(event);
  const text = sanitizeLine(
    `${event.name || event.module}${reason ? `: ${reason.trimEnd().replaceAll('\n', ' / ')}` : ''}`,
  );
  const on = event.delegate ? ` (on ${event.delegate})` : '';
  const body = [
    ...(event.notes ?? []).map(sanitizeLine),
    ...itemLines(event, style),
    ...failureBody(event),
    ...diffs(event, options),
    ...results(event, options),
  ];
  return prefixed(event.host, [`${word}  ${text}${on}${time}`, ...body.map((line) => `  ${line}`)]);
}

/** What goes as it should and changes nothing is told with -v; `debug`, and what was found, always. */
function isTold(event: TaskEvent, { verbosity }: LineOptions): boolean {
  const isQuiet = event.status === 'ok' || event.status === 'skipped';
  return (
    verbosity > 0 || !isQuiet || (event.status === 'ok' && (event.module === 'debug' || event.notes !== undefined))
  );
}

function wordOf(event: TaskEvent, style: Style): string {
  if (event.ignored) return style.yellow('ignored');
  if (event.rescued) return style.yellow('rescued');
  const words = {
    ok: () => style.green('ok'),
    changed: () => style.yellow('changed'),
    skipped: () => style.dim('skipped'),
    failed: () => style.red('FAILED'),
    unreachable: () => style.red('UNREACHABLE'),
    unknown: () => style.cyan('unknown'),
  };
  return words[event.status]();
}

function itemLines(event: TaskEvent, style: Style): string[] {
  const failed = (event.items ?? []).filter((item) => item.status === 'failed' || item.status === 'unreachable');
  return failed.map(({ label, message }) =>
    style.red(`item ${sanitizeLine(label)}: ${sanitizeLine(message ?? 'failed')}`),
  );
}

function failureBody({ failure, hint, status }: TaskEvent): string[] {
  const output = failure?.stderr?.trim() ? failure.stderr : (failure?.stdout ?? '');
  return [
    ...(failure?.command === undefined ? [] : [`command: ${sanitizeLine(failure.command.replaceAll('\n', '\\n'))}`]),
    ...(failure?.rc === undefined ? [] : [`exit code: ${failure.rc}`]),
    ...(output.trim() ? lastLines(sanitize(output), 20).map((line) => `| ${sanitizeLine(line)}`) : []),
    ...(failure?.evidence ? lastLines(sanitize(failure.evidence), 20).map((line) => `| ${sanitizeLine(line)}`) : []),
    ...(hint && status === 'failed' ? [`try: ${sanitizeLine(hint)}`] : []),
  ];
}

function diffs(event: TaskEvent, options: LineOptions): string[] {
  if (!options.diff || event.status !== 'changed') return [];
  return event.steps.flatMap((step) => (step.diff ? diffLines(step.diff, options.style, { full: true }) : []));
}

/** What a task is said to have to say: why it failed or is unknown, or the message of a `debug`. */
function reasonOf(event: TaskEvent): string {
  if (event.status === 'unknown') return event.why ?? '';
  if (event.module === 'debug') return plainMessage(event) ?? '';
  return event.status === 'skipped' ? '' : (event.message ?? '');
}

/** Ansible's `=> {…}`: with -v, and for debug. */
function results(event: TaskEvent, { verbosity }: LineOptions): string[] {
  const isDebug = event.module === 'debug';
  if (event.result === undefined || (isDebug ? plainMessage(event) !== undefined : verbosity === 0)) return [];
  return [`=> ${sanitizeLine(JSON.stringify(event.result) ?? '')}`];
}

/** The text of a debug that has nothing else to say. */
function plainMessage({ result }: TaskEvent): string | undefined {
  const { msg, ...rest } = (result ?? {}) as Record<string, unknown>;
  const others = Object.keys(rest).filter((key) => key !== 'changed' && key !== 'failed');
  return typeof msg === 'string' && others.length === 0 ? msg : undefined;
}

function gateLines(event: GateEvent, { style }: LineOptions): string[] {
  const { name, host, from, state, reason, attempts, ms, evidence } = event;
  const asked = from === host ? '' : ` (asked from ${from})`;
  const last = reason ? `: ${sanitizeLine(reason)}` : '';
  const since = `${duration(ms)}, ${count(attempts, 'attempt')}`;
  const gate = sanitizeLine(`gate ${name}${asked}`);
  const proof = evidence ? lastLines(sanitize(evidence), 20).map((line) => `  | ${sanitizeLine(line)}`) : [];
  const lines = {
    planned: () => [],
    waiting: () => [`${style.magenta('waits')}  ${gate}, ${since}${last}`],
    passed: () => [`${style.green('passed')}  ${gate}, ${since}`],
    failed: () => [`${style.red('FAILED')}  ${gate}, ${since}${last}`, ...proof],
  };
  return prefixed(host, lines[state]());
}

function outputLine(host: string, stream: 'stdout' | 'stderr', line: string): string[] {
  const text = sanitizeLine(line);
  return text === '' ? [] : [`${host} ${stream === 'stderr' ? '!' : '|'} ${text}`];
}

function detail(level: number, { verbosity, style }: LineOptions, host: string, text: string): string[] {
  return verbosity >= level ? prefixed(host, [style.dim(sanitizeLine(text))]) : [];
}

function prefixed(host: string, lines: string[]): string[] {
  return lines.flatMap((text) => text.split('\n')).map((line) => `${sanitizeLine(host)}: ${line}`);
}
