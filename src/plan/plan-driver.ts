import type { ActionCall, Need, Reply } from '../core/needs.ts';
import { result, TaskFailure } from '../core/result.ts';
import { SessionError } from '../core/session.ts';
import type { StepOutcome } from '../core/steps.ts';
import type { Asker } from './asker.ts';
import type { Driver, Emit, GateJudgement } from './driver.ts';
import type { PlanTools } from './environment.ts';
import { predicted } from './predicted.ts';

/** Serves a plan: it asks, and answers everything else with what the modules predict. It owns nothing that writes. */
export function planDriver(asker: Asker, tools: PlanTools, emit: Emit): Driver {
  return {
    predicts: true,
    expect: (host) => asker.expect?.(host),
    left: (host) => asker.left?.(host),
    ask: (_host, need) => answers(asker, need),
    run: async (_host, need) => ({ kind: 'ran', executed: false, outcomes: need.steps.map(predicted), next: [] }),
    act: async (_host, need) => {
      if (need.call.action === 'gate') plannedGate(need.call, emit);
      return predictedAction(need, tools);
    },
    sleep: async () => ({ kind: 'predicted' }),
    gate: async (judgement) => planned(judgement, emit),
  };
}

/** Questions put to a host's session; a link that broke is never an answer. */
export async function answers(asker: Asker, need: Extract<Need, { kind: 'ask' }>): Promise<Reply> {
  try {
    return { kind: 'answers', answers: await asker.ask(need.on, need.questions) };
  } catch (error) {
    return lost(error);
  }
}

export function lost(error: unknown, outcomes: StepOutcome[] = []): Reply {
  if (!(error instanceof SessionError)) throw error;
  if (error.kind === 'aborted') return { kind: 'halt', why: 'interrupted' };
  return { kind: 'lost', error: { kind: error.kind, message: error.message, hint: error.hint }, outcomes };
}

export function predictedAction({ call }: Extract<Need, { kind: 'act' }>, tools: PlanTools): Reply {
  const spec = tools.action(call.action);
  if (spec?.grows) return grown(call, tools);
  const result = spec?.predict(call.params) ?? { changed: false, values: new Map() };
  return { kind: 'acted', result, predicted: true, ...(spec?.remakes === undefined ? {} : { remade: spec.remakes }) };
}

function grown(call: ActionCall, tools: PlanTools): Reply {
  try {
    return { kind: 'acted', result: tools.grow(call) };
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error;
    return { kind: 'acted', result: { ...result(false, { msg: error.message }), failed: true } };
  }
}

/** A gate in the middle of a host's tasks. */
function plannedGate({ params, task, play = '', origin, host, on }: ActionCall, emit: Emit) {
  const about = { play, gate: String(params.gate), name: task.name, origin, host, from: on };
  emit({ type: 'gate', ...about, state: 'planned', attempts: 0, ms: 0 });
}

function planned({ call, name, play, host, from }: GateJudgement, emit: Emit): boolean {
  const { gate, origin } = call;
  emit({ type: 'gate', play, gate, name, origin, host, from, state: 'planned', attempts: 0, ms: 0 });
  return true;
}
