import { result, TaskFailure } from '../../core/result.ts';
import type { ActionRun } from '../actions.ts';

export const pause: ActionRun = async ({ params }, tools) => {
  const seconds = Number(params.seconds ?? 0) + 60 * Number(params.minutes ?? 0);
  if (params.seconds === undefined && params.minutes === undefined)
    throw new TaskFailure('pause without seconds or minutes waits for a key; kpush runs unattended');
  const start = tools.now();
  await tools.sleep(seconds);
  const unit = params.minutes === undefined ? 'seconds' : 'minutes';
  const passed = (tools.now() - start) / 1000 / (unit === 'minutes' ? 60 : 1);
  return {
    result: result(false, {
      delta: Math.floor(seconds),
      rc: 0,
      stdout: `Paused for ${inHundredths(passed)} ${unit}`,
      stderr: '',
      start: clock(start),
      stop: clock(tools.now()),
      echo: params.echo !== false,
      user_input: '',
    }),
    forget: true,
  };
};

/** As Python prints a rounded float. */
function inHundredths(number: number): string {
  const text = String(Math.round(number * 100) / 100);
  return text.includes('.') ? text : `${text}.0`;
}

/** As Python prints a date and time. */
function clock(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', '');
}
