import type { RunEvent } from '../core/events.ts';
import type { CiLog } from './ci-groups.ts';
import type { Display } from './display.ts';
import { eventLines, isNotice, type LineOptions } from './event-lines.ts';
import { sanitizeLine } from './sanitize.ts';
import { wholeLines } from './whole-lines.ts';
import { duration } from './wording.ts';

export interface PlainOptions extends LineOptions {
  out(text: string): void;
  err(text: string): void;
  ci?: CiLog;
  now?(): number;
}

/** Milliseconds after which a running step, and a gate with an unchanged answer, is mentioned again. */
const reminder = 30_000;

/** A log: one line an event, each with its host, for pipes, files and CI. */
export function createPlain(options: PlainOptions): Display {
  const write = (text: string, isErr: boolean) => (isErr ? options.err(text) : options.out(text));
  const lines = (texts: string[]) => texts.map((line) => `${options.ci?.guard(line) ?? line}\n`).join('');
  const steps = runningSteps();
  const gates = gateMemory();
  const groups = options.ci ? ciGroups(options.ci, options.out) : undefined;
  const whole = wholeLines();
  const timer = setInterval(() => {
    options.out(lines(steps.reminders((options.now ?? Date.now)())));
  }, reminder);
  timer.unref();
  return {
    add: (event) => {
      groups?.before(event);
      steps.add(event);
      for (const one of gates.isNews(event) ? whole(event) : []) {
        const text = lines(eventLines(one, options));
        if (text !== '') write(text, isNotice(one));
      }
      groups?.after(event);
    },
    end: () => {
      clearInterval(timer);
      groups?.end();
    },
  };
}

/** Says of long steps that they still run, so that a log never stands still without a reason. */
function runningSteps() {
  const steps = new Map<string, { host: string; title: string; start: number; heard: number }>();
  return {
    add: (event: RunEvent) => {
      if (event.type !== 'step-start' && event.type !== 'step-output' && event.type !== 'step-end') return;
      const { host, time } = event;
      const id = `${host}\n${event.key}`;
      const step = steps.get(id);
      if (event.type === 'step-start') steps.set(id, { host, title: event.title, start: time, heard: time });
      else if (event.type === 'step-end') steps.delete(id);
      else if (step) step.heard = time;
    },
    reminders: (now: number) =>
      [...steps.values()]
        .filter(({ start }) => now - start >= reminder)
        .map(({ host, title, start, heard }) => {
          const silent = now - heard >= 10_000 ? `, last output ${duration(now - heard)} ago` : '';
          return sanitizeLine(`${host}: still running after ${duration(now - start)}: ${title}${silent}`);
        }),
  };
}

/** A gate polls every few seconds; its answer is worth a line when it changes or has not been told for long. */
function gateMemory() {
  const told = new Map<string, { reason: string; time: number }>();
  return {
    isNews: (event: RunEvent) => {
      if (event.type !== 'gate' || event.state !== 'waiting') return true;
      const key = `${event.play}\n${event.name}\n${event.host}\n${event.from}`;
      const last = told.get(key);
      const isNew = !last || last.reason !== event.reason || event.time - last.time >= reminder;
      if (isNew) told.set(key, { reason: event.reason ?? '', time: event.time });
      return isNew;
    },
  };
}

function ciGroups(ci: CiLog, out: (text: string) => void) {
  let open: string | undefined;
  const close = (time: number) => {
    if (open !== undefined) out(ci.close(open, time));
    open = undefined;
  };
  return {
    before: (event: RunEvent) => {
      if (event.type !== 'play-start') return;
      close(event.time);
      open = `wave_${event.wave}`;
      out(ci.open(open, sanitizeLine(`Wave ${event.wave} of ${event.waves}: ${event.name}`), event.time));
    },
    after: (event: RunEvent) => {
      if (event.type === 'play-end') close(event.time);
      if (event.type === 'task' && event.status === 'failed' && !event.ignored && !event.rescued)
        out(ci.mark('error', sanitizeLine(`${event.host}: ${event.name}: ${event.message ?? 'failed'}`), event.origin));
      if (event.type === 'gate' && event.state === 'failed')
        out(ci.mark('error', sanitizeLine(`${event.host}: gate ${event.name}: ${event.reason ?? ''}`), event.origin));
    },
    end: () => close(Date.now()),
  };
}
