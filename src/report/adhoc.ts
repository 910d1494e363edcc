import type { RunEvent } from '../core/events.ts';
import type { Display } from './display.ts';
import { eventLines, isNotice, type LineOptions } from './event-lines.ts';
import { sanitizeLine } from './sanitize.ts';
import { wholeLines } from './whole-lines.ts';
import { count, duration } from './wording.ts';

export interface AdhocOptions extends LineOptions {
  out(text: string): void;
  err(text: string): void;
}

/** `kpush exec`: what each host prints, as it comes, on the stream it came from, each line after its host. */
export function createExecDisplay(options: AdhocOptions): Display {
  const whole = wholeLines();
  const { style } = options;
  const show = (event: RunEvent) => {
    if (event.type === 'step-output') return printOutput(event, options);
    if (event.type !== 'task' || event.status === 'unreachable') return printNotice(event, options);
    const { host, failure, message, status } = event;
    if (status === 'failed' && failure?.rc !== undefined) options.err(style.red(`${host}: exit code ${failure.rc}\n`));
    else if (status === 'failed') options.err(style.red(`${host}: ${sanitizeLine(message ?? 'failed')}\n`));
    if (options.verbosity > 0) options.err(`${host}: ${status} in ${duration(event.ms)}\n`);
  };
  return { add: (event) => whole(event).forEach(show), end: () => {} };
}

/** `kpush ping`: a line for each host that answers or does not, and how many do. */
export function createPingDisplay(options: AdhocOptions): Display {
  const { style } = options;
  const state = { asked: 0, answered: 0, told: false };
  const links = new Map<string, number>();
  return {
    add: (event) => {
      if (event.type === 'run-start') state.asked = event.hosts.length;
      if (event.type === 'connected') links.set(event.host, event.ms);
      if (event.type === 'task' && event.status === 'ok') {
        state.answered++;
        const link = links.get(event.host);
        const time = link === undefined ? '' : `, connected in ${link} ms`;
        options.out(`${style.green(style.sign.ok)} ${event.host}  answers${time}\n`);
      } else printNotice(event, options);
    },
    end: () => {
      if (state.asked > 0 && !state.told) options.out(`${state.answered} of ${count(state.asked, 'host')} answer\n`);
      state.told = true;
    },
  };
}

/** `kpush facts`: one JSON object, a member for each host; nothing where the run could not begin. */
export function createFactsDisplay(options: AdhocOptions): Display {
  const facts: Record<string, unknown> = Object.create(null);
  let told = true;
  return {
    add: (event) => {
      if (event.type === 'run-start') told = false;
      if (event.type === 'task' && event.status === 'ok') facts[event.host] = factsOf(event.result);
      else printNotice(event, options);
    },
    end: () => {
      if (!told) options.out(`${JSON.stringify(facts, null, 2)}\n`);
      told = true;
    },
  };
}

function factsOf(result: unknown): unknown {
  const all = result as { ansible_facts?: unknown } | undefined;
  return all?.ansible_facts ?? all ?? {};
}

function printOutput(event: Extract<RunEvent, { type: 'step-output' }>, options: AdhocOptions) {
  const { host, stream, text } = event;
  const lines = text.replace(/\n$/, '').split('\n');
  const shown = lines.map((line) => `${options.style.blue(host)}: ${sanitizeLine(line)}\n`).join('');
  if (stream === 'stdout') options.out(shown);
  else options.err(shown);
}

const badStatus = new Set(['failed', 'unreachable']);

/** Losses and notices go to stderr, so that stdout holds only what was asked for. */
export function printNotice(event: RunEvent, options: AdhocOptions) {
  const isBad = event.type === 'host-lost' || (event.type === 'task' && badStatus.has(event.status));
  const isDetail = event.type === 'connecting' || event.type === 'connected' || event.type === 'trip';
  if (!isBad && !isDetail && !isNotice(event)) return;
  const text = eventLines(event, options)
    .map((line) => `${line}\n`)
    .join('');
  if (text !== '') options.err(text);
}
