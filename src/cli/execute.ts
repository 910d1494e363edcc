import { join } from 'node:path';
import { inputError } from '../core/errors.ts';
import type { RunEvent } from '../core/events.ts';
import type { RunControl, RunOptions } from '../core/options.ts';
import { censor } from '../report/censor.ts';
import type { Display } from '../report/display.ts';
import { distinctPlaybooks } from '../report/distinct.ts';
import type { Journal } from '../report/journal.ts';
import { openJournal } from '../report/journal.ts';
import { pruneRuns } from '../report/journal-prune.ts';
import { planModel } from '../report/plan-fold.ts';
import { recapModel } from '../report/recap.ts';
import { createRedactor, type Redactor } from '../report/redact.ts';
import { totalsText } from '../report/totals.ts';
import { createDisplay } from './displays.ts';
import { type Ending, finish, windowOf } from './ending.ts';
import { reportErrors } from './errors.ts';
import { listenToSignals } from './interrupts.ts';
import type { Io } from './io.ts';
import { isInteractive, styleFor } from './look.ts';
import { createOutput, type Output } from './output.ts';
import { askLine, askSecret } from './prompt.ts';
import { keepOptions, optionsFile } from './resume.ts';
import { leavingText, runningSteps } from './running.ts';

/** Runs what was asked for, shows it, records it; resolves to the exit code. */
export async function execute(options: RunOptions, io: Io, color: boolean | undefined): Promise<number> {
  const redactor = createRedactor();
  const output = createOutput(io, redactor.text);
  const [style, errStyle] = [styleFor(io, io.stdout, { color }), styleFor(io, io.stderr, { color })];
  const display = await createDisplay({ options, io, output, style, errStyle });
  const restore = () => void display.end();
  process.once('exit', restore);
  const story = createStory(options, io, output, display, redactor);
  const signals = listenToSignals(
    (count) => story.add({ type: 'interrupt', time: Date.now(), count, running: story.running.list() }),
    () => leave(story, output, display),
  );
  const ending: Ending = { options, io, output, style, errStyle, folds: story.folds };
  try {
    const run = await io.loadRun();
    const { exit } = await run(options, story.add, createControl(ending, story, signals, display));
    story.exit = exit;
  } catch (error) {
    await display.end();
    reportErrors(error, { output, errStyle, cwd: io.cwd, add: story.note });
  }
  signals.settle();
  await display.end();
  const exit = await finish(ending, story);
  story.close(exit);
  process.off('exit', restore);
  await output.flush();
  signals.dispose();
  return exit;
}

export interface Story {
  add(event: RunEvent): void;
  /** As `add`, for what was printed already. */
  note(event: RunEvent): void;
  folds: { plan: ReturnType<typeof planModel>; recap: ReturnType<typeof recapModel> };
  running: ReturnType<typeof runningSteps>;
  isRecorded(): boolean;
  /** Ends the record, also of a run that did not come to its own end. */
  close(exit: number): void;
  /** From now on the string is veiled. */
  conceal(secret: string): void;
  /** What the run itself ended with. */
  exit: number;
  /** How far an apply that asks has come. */
  phase(): 'plan' | 'apply' | 'declined' | undefined;
}

/** Where every event goes: secrets are taken out first, then it is recorded, folded and shown. */
function createStory(options: RunOptions, io: Io, output: Output, display: Display, redactor: Redactor): Story {
  const folds = { plan: planModel(), recap: recapModel({ detailed: options.detailedExitcode }) };
  const running = runningSteps();
  let journal: Journal | undefined;
  let isOver = false;
  let phase: ReturnType<Story['phase']>;
  const note = (event: RunEvent) => {
    if (event.type === 'run-start' && isRecorded(options)) journal ??= record(options, io, output);
    isOver ||= event.type === 'run-end';
    if (event.type === 'phase') phase = event.phase;
    journal?.add(event);
    running.add(event);
    for (const fold of Object.values(folds)) fold.add(event);
    if (options.output === 'json') display.add(event);
  };
  const take = (event: RunEvent) => {
    note(event);
    if (options.output !== 'json') display.add(event);
  };
  const distinct = distinctPlaybooks();
  const clean = (event: RunEvent) => redactor.events(censor(distinct(event)));
  return {
    add: (event) => clean(event).forEach(take),
    note: (event) => clean(event).forEach(note),
    folds,
    running,
    isRecorded: () => journal !== undefined,
    close: (exit) => {
      const { class: word, seconds } = folds.recap.value().summary;
      if (!isOver) journal?.add({ type: 'run-end', time: Date.now(), exit, class: word, seconds });
      journal?.close();
    },
    conceal: redactor.add,
    exit: 0,
    phase: () => phase,
  };
}

/** Looking at hosts leaves no record; planning and changing do. */
function isRecorded({ verb, list, syntaxCheck }: RunOptions): boolean {
  return (verb === 'apply' || verb === 'plan' || verb === 'exec') && !list && !syntaxCheck;
}

function record(options: RunOptions, io: Io, output: Output): Journal | undefined {
  const root = join(io.cwd, '.kpush');
  const warn = (error: Error) => output.err(`kpush: the run goes on without a journal: ${error.message}\n`);
  try {
    const journal = openJournal(root, options.runId, warn);
    if (options.verb === 'apply') keepOptions(journal.dir, options);
    prune(root, output);
    return journal;
  } catch (error) {
    warn(error as Error);
    return undefined;
  }
}

/** What cannot be removed is no reason not to run. */
function prune(root: string, output: Output) {
  try {
    pruneRuns(root, optionsFile);
  } catch (error) {
    output.err(`kpush: old records stay: ${(error as Error).message}\n`);
  }
}

function createControl(
  ending: Ending,
  story: Story,
  signals: ReturnType<typeof listenToSignals>,
  display: Display,
): RunControl {
  const { options, io } = ending;
  const { stop, close, raise } = signals;
  const canAsk = io.stdin.isTTY === true && io.stderr.isTTY === true;
  const control: RunControl = { stop, close, conceal: story.conceal };
  if (canAsk) {
    control.prompt = async (text, { secret, default: fallback, required }) => {
      display.pause?.();
      const answer = await (secret ? askSecret(io, text, stop, raise) : askLine(io, text, stop));
      if (secret && answer) story.conceal(answer);
      if (required && answer === undefined && !stop.aborted) throw inputError(`the input ended at '${text.trim()}'`);
      return answer || fallback || '';
    };
  }
  const asks = options.verb === 'apply' && !options.yes && !options.check && options.output === 'pretty';
  if (canAsk && asks && isInteractive(io)) {
    control.confirm = async () => {
      display.pause?.();
      const isYes = await confirm(ending, stop);
      if (!isYes) story.add({ type: 'phase', time: Date.now(), phase: 'declined' });
      return isYes;
    };
  }
  return control;
}

async function confirm({ options, io, output, style, folds }: Ending, stop: AbortSignal): Promise<boolean> {
  const { planPage } = await import('../report/plan-page.ts');
  const model = folds.plan.value();
  output.out(`${planPage(model, { style, diff: options.diff, columns: windowOf(io) })}\n`);
  const answer = await askLine(io, `Go on with ${totalsText(model.totals)}? [y/N] `, stop);
  const isYes = /^y(es)?$/i.test(answer?.trim() ?? '');
  if (!isYes) output.err('Nothing was changed.\n');
  return isYes;
}

/** The third Ctrl-C: nobody is waited for, so what may be left behind is named. */
function leave(story: Story, output: Output, display: Display) {
  void display.end();
  output.err(leavingText(story.running.list()));
  story.close(130);
  process.exit(130);
}
