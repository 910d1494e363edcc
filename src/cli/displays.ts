import { KpushError } from '../core/errors.ts';
import type { RunEvent } from '../core/events.ts';
import type { RunOptions } from '../core/options.ts';
import { createExecDisplay, createFactsDisplay, createPingDisplay } from '../report/adhoc.ts';
import { ciLog } from '../report/ci-groups.ts';
import type { Display } from '../report/display.ts';
import { eventLines, isNotice } from '../report/event-lines.ts';
import { createJsonLines } from '../report/json.ts';
import { createListingDisplay } from '../report/listing.ts';
import { createPlain } from '../report/plain.ts';
import { createStatusDisplay } from '../report/status.ts';
import type { Style } from '../report/style.ts';
import { wholeLines } from '../report/whole-lines.ts';
import { errorText } from './errors.ts';
import type { Io } from './io.ts';
import { isInteractive } from './look.ts';
import type { Output } from './output.ts';

export interface DisplayOptions {
  options: RunOptions;
  io: Io;
  output: Output;
  /** Of stdout and of stderr. */
  style: Style;
  errStyle: Style;
}

/** What a run is shown with while it goes on; what it ends with (page, recap) comes from the folds. */
export async function createDisplay(given: DisplayOptions): Promise<Display> {
  const { options, output, style } = given;
  const { verbosity, diff, verb } = options;
  const lines = { style, verbosity, diff, frame: frameOf(given.io), ...output };
  if (options.output !== 'json' && (options.list || options.syntaxCheck)) return createListingDisplay(output.out);
  if (verb === 'facts') return createFactsDisplay(lines);
  if (options.output === 'json') return verb === 'plan' ? createNotices(given) : createJsonLines(output.out);
  if (verb === 'exec') return createExecDisplay(lines);
  if (verb === 'ping') return createPingDisplay(lines);
  if (verb === 'status') return createStatusDisplay(lines);
  if (verb === 'plan') return hasLiveFrame(given) ? createLive(given) : createNotices(given);
  return hasLiveFrame(given) ? createLive(given) : createPlain({ ...lines, ci: ciLog(given.io.env) });
}

/** A plan is drawn on stderr while it is made, so that its page alone is on stdout. */
function hasLiveFrame({ options, io }: DisplayOptions): boolean {
  if (options.output !== 'pretty') return false;
  return options.verb === 'plan' ? io.stderr.isTTY === true && isInteractive(io) : isInteractive(io);
}

async function createLive(given: DisplayOptions): Promise<Display> {
  const { createProgress } = await import('../report/progress.ts');
  const { options, io, output } = given;
  const isPlan = options.verb === 'plan';
  const style = isPlan ? given.errStyle : given.style;
  const stream = isPlan ? io.stderr : io.stdout;
  const screen = {
    write: (text: string) => (isPlan ? output.err(text) : output.out(text)),
    on: (event: 'resize', listener: () => void) => stream.on(event, listener),
    off: (event: 'resize', listener: () => void) => stream.off(event, listener),
    get columns() {
      return stream.columns || 80; // 0 where the size is not known
    },
    get rows() {
      return stream.rows || 24;
    },
  };
  const whole = wholeLines();
  const { verbosity, diff } = options;
  return createProgress({
    screen,
    style,
    keep: !isPlan,
    log: (event) =>
      whole(event)
        .filter((one) => verbosity > 0 || isWorthALine(one, isPlan))
        .flatMap((one) => eventLines(one, { style, verbosity, diff: diff && !isPlan, frame: frameOf(io) }))
        .map((line) => `${line}\n`)
        .join(''),
  });
}

/** What stays on the screen above the frame. A plan's page has its warnings and debug messages. */
function isWorthALine(event: RunEvent, isPlan: boolean): boolean {
  if (isPlan) return event.type === 'error' || event.type === 'interrupt';
  return isNotice(event) || (event.type === 'task' && event.module === 'debug');
}

/** Errors and interrupts alone, with -v everything: all on stderr. Warnings stand on the page. */
function createNotices({ options, output, errStyle, io }: DisplayOptions): Display {
  const { verbosity } = options;
  const whole = wholeLines();
  return {
    add: (event) => {
      for (const one of whole(event))
        if (verbosity > 0 || (isNotice(one) && one.type !== 'warning'))
          output.err(
            eventLines(one, { style: errStyle, verbosity, diff: false, frame: frameOf(io) })
              .map((line) => `${line}\n`)
              .join(''),
          );
    },
    end: () => {},
  };
}

function frameOf(io: Io) {
  return ({ kind, message, facts }: Extract<RunEvent, { type: 'error' }>) =>
    errorText(new KpushError(kind, message, facts), io.cwd);
}
