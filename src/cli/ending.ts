import { renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RunOptions } from '../core/options.ts';
import { brokeOff } from '../report/failures.ts';
import { type Summary, summaryFile } from '../report/fold.ts';
import { planDocument } from '../report/json.ts';
import type { RecapModel } from '../report/recap.ts';
import { sanitize } from '../report/sanitize.ts';
import type { Style } from '../report/style.ts';
import type { Story } from './execute.ts';
import type { Io } from './io.ts';
import { nextSteps } from './next-steps.ts';
import type { Output } from './output.ts';

export interface Ending {
  options: RunOptions;
  io: Io;
  output: Output;
  style: Style;
  errStyle: Style;
  folds: Story['folds'];
}

/** Shows what a run ends with, writes the summary file; resolves to the exit code. */
export async function finish(ending: Ending, story: Story): Promise<number> {
  const { options, output, io } = ending;
  const model = ending.folds.recap.value();
  const exit = model.summary.exit || story.exit;
  if (isTold(ending)) await show(ending, model, story);
  else showWarnings(ending);
  if (options.summaryFile === undefined) return exit;
  return writeSummary(resolve(io.cwd, options.summaryFile), model.summary, output) ? exit : exit || 1;
}

/** Bad input ends before anything began: there is nothing to recapitulate. */
function isTold({ folds, options }: Ending): boolean {
  return folds.plan.value().verb !== '' && !options.list && !options.syntaxCheck;
}

async function show(ending: Ending, model: RecapModel, story: Story) {
  const { options, output, style } = ending;
  if (options.verb === 'plan') {
    await showPlan(ending, model);
    return tellSaved(ending, model.summary);
  }
  if (options.output === 'json' || options.verb !== 'apply' || story.phase() === 'declined') return;
  if (story.phase() === 'plan') {
    await showPlan(ending, model);
    return output.err('Nothing was changed.\n');
  }
  const { recapText } = await import('../report/recap.ts');
  output.out(
    `\n${recapText(model, { style, columns: windowOf(ending.io), next: nextSteps(options, model, story.isRecorded()) })}`,
  );
}

/** Those of a plan stand on its page; where there is none they are told here. */
function showWarnings({ options, folds, output, errStyle }: Ending) {
  if (options.verb !== 'plan' || options.list || options.syntaxCheck) return;
  for (const { message } of folds.plan.value().warnings)
    output.err(`${errStyle.yellow('warning:')} ${sanitize(message)}\n`);
}

/** Bad input, and an interrupt, end before anything is saved. */
function tellSaved({ options: { planOut }, folds, output }: Ending, { class: word }: Summary) {
  if (planOut === undefined || ['input', 'internal', 'interrupted'].includes(word)) return;
  const groups = folds.plan.value().waves.flatMap(({ tasks }) => tasks.flatMap((task) => task.groups));
  const defers = groups.some(({ status, provisional }) => status === 'unknown' || provisional !== undefined);
  const also = defers ? '; with --allow-deferred also what it could only defer' : '';
  output.err(`The plan is saved in ${planOut}: kpush apply ${planOut}${also}\n`);
}

/** A plan that was cut short would look as if the rest had nothing to change. */
async function showPlan({ io, options, folds, style, output }: Ending, { summary, failures }: RecapModel) {
  if (summary.class === 'interrupted') return output.err('interrupted: no plan is shown, it would be incomplete\n');
  const model = folds.plan.value();
  if (options.output === 'json') return output.out(planDocument(model, summary));
  if (brokeOff(failures)) return output.err('no plan is shown: it ended at the error, and would be incomplete\n');
  const { planPage } = await import('../report/plan-page.ts');
  output.out(planPage(model, { style, diff: options.diff, columns: windowOf(io) }));
}

/** Columns of the terminal that stdout is; undefined where it is none: then lines are as long as they are. */
export function windowOf({ stdout }: Io): number | undefined {
  return stdout.isTTY ? stdout.columns || 80 : undefined;
}

/** Beside its place first, then renamed: who waits for the file never reads half of it. */
function writeSummary(file: string, summary: Summary, output: Output): boolean {
  try {
    const temporary = `${file}.${process.pid}.tmp`;
    writeFileSync(temporary, summaryFile(summary));
    renameSync(temporary, file);
    return true;
  } catch (error) {
    output.err(`error: the summary file was not written: ${(error as Error).message}\n`);
    return false;
  }
}
