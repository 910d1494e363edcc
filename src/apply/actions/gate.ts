import { result, TaskFailure } from '../../core/result.ts';
import { fromPlain } from '../../jinja/index.ts';
import type { Value } from '../../jinja/values.ts';
import type { ActionRun } from '../actions.ts';
import { pollGate } from '../gates.ts';

/** A gate of one host, between its tasks. */
export const passGate: ActionRun = async (call, tools) => {
  const { params, task, play = '', origin, host, on, identity } = call;
  const name = task.name;
  const about = { gate: String(params.gate), name, play, origin, host, from: on, identity, own: identity };
  const given = fromPlain(params.with) as Map<Value, Value>;
  const [interval, timeout, deadline] = [params.interval, params.timeout, params.deadline].map(secondsOf);
  let waited = false;
  const emit: typeof tools.emit = (event) => {
    waited ||= event.type === 'gate' && event.state === 'waiting';
    tools.emit(event);
  };
  const verdict = await pollGate(about, given, { interval, timeout, deadline }, tools.asker, tools, emit);
  // What it waited for has come meanwhile, and more with it.
  if (verdict.verdict === 'pass') return { result: result(false, { reason: verdict.detail ?? '' }), forget: waited };
  throw new TaskFailure(`the gate did not pass: ${verdict.reason}`, { reason: verdict.reason });
};

function secondsOf(value: unknown): number | undefined {
  return value === undefined ? undefined : Number(value);
}
