import { result, TaskFailure } from '../../core/result.ts';
import type { ActionRun } from '../actions.ts';

export const pause: ActionRun = async ({ params }, tools) => {
  const seconds = Number(params.seconds ?? 0) + 60 * Number(params.minutes ?? 0);
  if (params.seconds === undefined && params.minutes === undefined)
    throw new TaskFailure('pause without seconds or minutes waits for a key; kpush runs unattended');
  await tools.sleep(seconds);
  return {
    result: result(false, { delta: Math.round(seconds), stdout: `Paused for ${seconds} seconds`, rc: 0 }),
    forget: true,
  };
};
